(* The lecture (Hlavac, Matas, Drbohlav): Novikoff's theorem, slides 23-25, line by line; (34) of slide 42; Kozinec. *)
Require Import Reals List Lra Lia Psatz.
From Margin Require Import Inner.
Import ListNotations.
Open Scope R_scope.

(* T corrections of the perceptron: correction t meets the weights w t, adds the pattern x t, which is wrong: (11), (12).
   Nothing is said of the order, nor that the run is over. *)
Record corrections (n : nat) (l : list vec) (w x : nat -> vec) (T : nat) : Prop := {
  member : forall t, (t < T)%nat -> In (x t) l;
  wrong : forall t, (t < T)%nat -> dot n (w t) (x t) <= 0;
  step : forall t, (t < T)%nat -> w (S t) = add (w t) (x t) }.

Section Novikoff.
Variables (n : nat) (l : list vec) (u : vec) (gamma D : R) (w x : nat -> vec) (T : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis unit_u : ⟨u, u⟩ = 1.                                          (* (8) *)
Hypothesis margin : forall y, In y l -> gamma <= ⟨u, y⟩.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis longest : forall y, In y l -> norm n y <= D.                  (* (9) *)
Hypothesis run : corrections n l w x T.

Lemma size t : (t < T)%nat -> ⟨x t, x t⟩ <= D * D.
Proof.
  intros L. pose proof (longest _ (member _ _ _ _ _ run t L)). pose proof (norm_pos n (x t)).
  rewrite <- norm_square. apply Rmult_le_compat; lra.
Qed.
Lemma gain t : (t < T)%nat -> gamma <= ⟨x t, u⟩.
Proof. intros L. rewrite dotC. apply margin, (member _ _ _ _ _ run t L). Qed.

Theorem ctu_eq13 t : (t < T)%nat -> ⟨w (S t), w (S t)⟩ = ⟨add (w t) (x t), add (w t) (x t)⟩.
Proof. intros L. now rewrite (step _ _ _ _ _ run t L). Qed.

Theorem ctu_eq14 t : (t < T)%nat ->
  ⟨w (S t), w (S t)⟩ = ⟨w t, w t⟩ + 2 * ⟨w t, x t⟩ + ⟨x t, x t⟩ /\ 2 * ⟨w t, x t⟩ <= 0 /\ ⟨x t, x t⟩ <= D * D.
Proof.
  intros L. rewrite ctu_eq13, dotD, !dotDr, (dotC n (x t) (w t)) by assumption.
  pose proof (wrong _ _ _ _ _ run t L). pose proof (size t L). repeat split; lra.
Qed.

Lemma ctu_eq15_one t : (t < T)%nat -> ⟨w (S t), w (S t)⟩ <= ⟨w t, w t⟩ + D * D.
Proof. intros L. pose proof (ctu_eq14 t L). lra. Qed.

Theorem ctu_eq15 t : (S t < T)%nat ->
  ⟨w (S (S t)), w (S (S t))⟩ <= ⟨w (S t), w (S t)⟩ + D * D <= ⟨w t, w t⟩ + 2 * (D * D).
Proof. intros L. pose proof (ctu_eq15_one (S t) L). pose proof (ctu_eq15_one t ltac:(lia)). lra. Qed.

Lemma ctu_eq16_all t : (t <= T)%nat -> ⟨w t, w t⟩ <= ⟨w 0%nat, w 0%nat⟩ + INR t * (D * D).
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR.
  pose proof (ctu_eq15_one t L). pose proof (IH ltac:(lia)). lra.
Qed.

Theorem ctu_eq16 t : (S (S t) < T)%nat ->
  ⟨w (S (S (S t))), w (S (S (S t)))⟩ <= ⟨w t, w t⟩ + 3 * (D * D) <=
  ⟨w 0%nat, w 0%nat⟩ + (INR (S (S t)) + 1) * (D * D).
Proof.
  intros L. pose proof (ctu_eq15_one (S (S t)) L). pose proof (ctu_eq15 t ltac:(lia)).
  pose proof (ctu_eq16_all t ltac:(lia)) as A. rewrite !S_INR. lra.
Qed.

Theorem ctu_eq18 t : (t < T)%nat -> ⟨w (S t), u⟩ = ⟨w t, u⟩ + ⟨x t, u⟩ /\ gamma <= ⟨x t, u⟩.
Proof. intros L. rewrite (step _ _ _ _ _ run t L), dotD. split; [reflexivity | now apply gain]. Qed.

Lemma ctu_eq19_one t : (t < T)%nat -> ⟨w (S t), u⟩ >= ⟨w t, u⟩ + gamma.
Proof. intros L. pose proof (ctu_eq18 t L). lra. Qed.

Theorem ctu_eq19 t : (S t < T)%nat -> ⟨w t, u⟩ + 2 * gamma <= ⟨w (S t), u⟩ + gamma <= ⟨w (S (S t)), u⟩.
Proof. intros L. pose proof (ctu_eq19_one (S t) L). pose proof (ctu_eq19_one t ltac:(lia)). lra. Qed.

Theorem ctu_eq20 t : (S (S t) < T)%nat -> ⟨w (S (S (S t))), u⟩ >= ⟨w t, u⟩ + 3 * gamma.
Proof. intros L. pose proof (ctu_eq19_one (S (S t)) L). pose proof (ctu_eq19 t ltac:(lia)). lra. Qed.

Lemma ctu_eq21_all t : (t <= T)%nat -> ⟨w t, u⟩ >= ⟨w 0%nat, u⟩ + INR t * gamma.
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR.
  pose proof (ctu_eq19_one t L). pose proof (IH ltac:(lia)). lra.
Qed.

Theorem ctu_eq21 t : (t < T)%nat -> ⟨w (S t), u⟩ >= ⟨w 0%nat, u⟩ + (INR t + 1) * gamma.
Proof. intros L. rewrite <- S_INR. now apply ctu_eq21_all. Qed.

(* From here on the run starts at zero. *)
Hypothesis start : w 0%nat = zero.

Theorem ctu_eq17 t : (t < T)%nat -> ⟨w (S t), w (S t)⟩ <= (INR t + 1) * (D * D).
Proof. intros L. pose proof (ctu_eq16_all (S t) L) as A. rewrite start, dot0, S_INR in A. lra. Qed.

Theorem ctu_eq22 t : (t < T)%nat -> ⟨w (S t), u⟩ >= (INR t + 1) * gamma.
Proof. intros L. pose proof (ctu_eq21 t L) as A. rewrite start, dot0 in A. lra. Qed.

Theorem ctu_eq23 t : (t < T)%nat ->
  (INR t + 1) * (D * D) >= ⟨w (S t), w (S t)⟩ /\ ⟨w (S t), w (S t)⟩ >= ⟨w (S t), u⟩ * ⟨w (S t), u⟩ /\
  ⟨w (S t), u⟩ * ⟨w (S t), u⟩ >= (INR t + 1) * (INR t + 1) * (gamma * gamma).
Proof.
  intros L. pose proof (ctu_eq17 t L). pose proof (ctu_eq22 t L). pose proof (pos_INR t).
  pose proof (cauchy_schwarz n (w (S t)) u) as C. rewrite unit_u in C. repeat split; [lra | lra |].
  replace ((INR t + 1) * (INR t + 1) * (gamma * gamma)) with ((INR t + 1) * gamma * ((INR t + 1) * gamma)) by ring.
  apply Rle_ge, Rmult_le_compat; nra.
Qed.

Theorem ctu_eq24 t : (t < T)%nat -> INR t + 1 <= D * D / (gamma * gamma).
Proof.
  intros L. destruct (ctu_eq23 t L) as [A [B C]]. pose proof (pos_INR t).
  apply Rmult_le_reg_r with (gamma * gamma); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
  apply Rmult_le_reg_l with (INR t + 1); nra.
Qed.

(* Novikoff: at most D^2 / gamma^2 corrections. *)
Theorem ctu_eq10 : INR T <= D * D / (gamma * gamma).
Proof.
  assert (C : T = 0%nat \/ exists m, T = S m) by (destruct T; [now left | right; now exists n0]).
  destruct C as [C | [m C]]; rewrite C; [simpl; apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; nra]|].
  rewrite S_INR. apply ctu_eq24. lia.
Qed.
End Novikoff.

(* (34), slide 42: for w in the hull, the margin of w is at most the largest margin m, and m at most the length of w. *)
Theorem ctu_eq34 n l m w : largest_margin n l m -> l <> [] -> separable n l -> hull_of l w ->
  (exists x, In x l /\ dot n (scale (/ norm n w) w) x <= m) /\ m <= norm n w.
Proof.
  intros Hm NE S Hw. pose proof (separable_away n l w S Hw) as Pw.
  assert (P : 0 < norm n w) by (apply sqrt_lt_R0; assumption). split.
  - (* were every score above m, the unit vector along w would have a larger margin *)
    assert (U : dot n (scale (/ norm n w) w) (scale (/ norm n w) w) = 1).
    { rewrite dotZ, dotZr, <- norm_square. field. lra. }
    set (v := scale (/ norm n w) w) in *.
    assert (Hlow : exists x, In x l /\ forall y, In y l -> dot n v x <= dot n v y).
    { clear - NE. induction l as [|a k IH]; [contradiction|]. destruct k as [|b k].
      - exists a. split; [now left|]. intros y [<-|[]]. lra.
      - destruct IH as [x [Hx Hmin]]; [discriminate|]. destruct (Rle_dec (dot n v a) (dot n v x)).
        + exists a. split; [now left|]. intros y [<-|Hy]; [lra | pose proof (Hmin y Hy); lra].
        + exists x. split; [now right|]. intros y [<-|Hy]; [lra | now apply Hmin]. }
    destruct Hlow as [x [Hx Hmin]]. exists x. split; [assumption|]. now apply (proj2 Hm v).
  - destruct Hm as [[u [Hu Hum]] _]. pose proof (average n _ u m w Hum Hw) as A.
    pose proof (dot_norm n u w) as C. unfold norm in C at 1. rewrite Hu, sqrt_1 in C. lra.
Qed.

(* Kozinec, slide 44, with eps = 0: w goes to the shortest point of the segment from w to a wrong pattern x. *)
Record kozinec (n : nat) (l : list vec) (w x : nat -> vec) (T : nat) : Prop := {
  from_pattern : In (w 0%nat) l;
  violator : forall t, (t < T)%nat -> In (x t) l /\ dot n (w t) (x t) <= 0;
  shortest : forall t, (t < T)%nat -> exists k, 0 <= k <= 1 /\ w (S t) = add (scale (1 - k) (w t)) (scale k (x t)) /\
    forall j, 0 <= j <= 1 -> norm n (w (S t)) <= norm n (add (scale (1 - j) (w t)) (scale j (x t))) }.

Section Kozinec.
Variables (n : nat) (l : list vec) (m D : R) (w x : nat -> vec) (T : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis NE : l <> [].
Hypothesis Sep : separable n l.
Hypothesis best : largest_margin n l m.
Hypothesis longest : forall y, In y l -> norm n y <= D.
Hypothesis run : kozinec n l w x T.

Lemma kozinec_in_hull t : (t <= T)%nat -> hull_of l (w t).
Proof.
  induction t as [|t IH]; intros L; [apply corner, (from_pattern _ _ _ _ _ run)|].
  destruct (shortest _ _ _ _ _ run t L) as [k [K [-> _]]]. destruct (violator _ _ _ _ _ run t L) as [V _].
  replace (add (scale (1 - k) (w t)) (scale k (x t))) with (add (scale (1 - k) (w t)) (scale (1 - (1 - k)) (x t)))
    by (f_equal; f_equal; ring).
  apply between; [lra | apply IH; lia | now apply corner].
Qed.

(* Each step has 1/|w'|^2 >= 1/|w|^2 + 1/|x|^2. *)
Lemma kozinec_step t : (t < T)%nat -> / ⟨w (S t), w (S t)⟩ >= / ⟨w t, w t⟩ + / ⟨x t, x t⟩.
Proof.
  intros L. destruct (shortest _ _ _ _ _ run t L) as [k [K [E Hmin]]]. destruct (violator _ _ _ _ _ run t L) as [V W].
  pose proof (separable_away n l _ Sep (kozinec_in_hull t ltac:(lia))) as Pw.
  pose proof (separable_away n l _ Sep (corner _ _ V)) as Px.
  pose proof (separable_away n l _ Sep (kozinec_in_hull (S t) ltac:(lia))) as Pw'.
  set (a := ⟨w t, w t⟩) in *. set (b := ⟨x t, x t⟩) in *. set (q := ⟨w (S t), w (S t)⟩) in *.
  (* the point that divides the segment as a to b is at least as long, and its square is at most a b / (a + b) *)
  assert (J : 0 <= a / (a + b) <= 1).
  { split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (a + b); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (Hmin _ J). set (j := a / (a + b)) in *.
  assert (Q : q <= a * b / (a + b)).
  { assert (Hs : norm n (w (S t)) * norm n (w (S t)) <=
                 norm n (add (scale (1 - j) (w t)) (scale j (x t))) * norm n (add (scale (1 - j) (w t)) (scale j (x t)))).
    { pose proof (norm_pos n (w (S t))). apply Rmult_le_compat; lra. }
    rewrite !norm_square, square in Hs. fold a b q in Hs.
    assert (Mix : (1 - j) * j * ⟨w t, x t⟩ <= 0).
    { assert (0 <= (1 - j) * j) by (apply Rmult_le_pos; lra). nra. }
    assert (Sum : (1 - j) * (1 - j) * a + j * j * b = a * b / (a + b)) by (unfold j; field; lra). lra. }
  apply Rle_ge. replace (/ a + / b) with (/ (a * b / (a + b))) by (field; lra). now apply Rinv_le_contravar.
Qed.

Theorem ours_kozinec : INR T <= D * D / (m * m) - 1.
Proof.
  destruct (largest_margin_exists n l NE Sep) as [z [Hz [Pz Mz]]].
  rewrite (largest_margin_unique n l m (norm n z) best Mz), norm_square.
  assert (PD : 0 < D).
  { pose proof (longest _ (from_pattern _ _ _ _ _ run)).
    assert (0 < norm n (w 0%nat)) by (apply sqrt_lt_R0, (separable_away n l), (kozinec_in_hull 0); [assumption | lia]). lra. }
  assert (short : forall y, In y l -> / (D * D) <= / ⟨y, y⟩).
  { intros y Hy. apply Rinv_le_contravar; [apply (separable_away n l); [assumption | now apply corner]|].
    rewrite <- norm_square. pose proof (longest y Hy). pose proof (norm_pos n y). apply Rmult_le_compat; lra. }
  assert (H : forall t, (t <= T)%nat -> (INR t + 1) * / (D * D) <= / ⟨w t, w t⟩).
  { induction t as [|t IH]; intros L.
    - simpl. pose proof (short _ (from_pattern _ _ _ _ _ run)). lra.
    - rewrite S_INR. pose proof (kozinec_step t L). pose proof (IH ltac:(lia)).
      pose proof (short _ (proj1 (violator _ _ _ _ _ run t L))). lra. }
  pose proof (H T ltac:(lia)) as A.
  assert (Z : / ⟨w T, w T⟩ <= / ⟨z, z⟩).
  { apply Rinv_le_contravar; [assumption|]. apply Hz, kozinec_in_hull. lia. }
  assert (DD : 0 < D * D) by nra.
  assert ((INR T + 1) <= D * D / ⟨z, z⟩); [|lra].
  apply Rmult_le_reg_r with (/ (D * D)); [now apply Rinv_0_lt_compat|].
  replace (D * D / ⟨z, z⟩ * / (D * D)) with (/ ⟨z, z⟩) by (field; lra). lra.
Qed.
End Kozinec.
