(* Falkowski's note on the algorithm of Krauth and Mezard: the algorithm (1), w*, and (3)-(14).

   X = max |x_j|^2; the pattern of the lowest score is added, divided by X, while that score is below c. *)
Require Import Reals List Lra Lia Psatz FunctionalExtensionality.
From Margin Require Import Inner.
Import ListNotations.
Open Scope R_scope.

Definition largest_square (n : nat) (l : list vec) (X : R) : Prop :=
  (exists y, In y l /\ dot n y y = X) /\ forall y, In y l -> dot n y y <= X.

(* M updates from w 0; update t adds pick t. *)
Record krauth_mezard (n : nat) (l : list vec) (X c : R) (w pick : nat -> vec) (M : nat) : Prop := {
  km_member : forall t, (t < M)%nat -> In (pick t) l;
  km_lowest : forall t y, (t < M)%nat -> In y l -> dot n (w t) (pick t) <= dot n (w t) y;
  km_running : forall t, (t < M)%nat -> dot n (w t) (pick t) < c;
  km_step : forall t, (t < M)%nat -> w (S t) = add (w t) (scale (/ X) (pick t)) }.

Definition stopped (n : nat) (l : list vec) (c : R) (v : vec) : Prop := forall y, In y l -> c <= dot n v y.

(* The starts that the note allows: sums of patterns with weights lambda >= 0. *)
Inductive cone (l : list vec) : vec -> Prop :=
| cone_zero : cone l zero
| cone_add a y v : 0 <= a -> In y l -> cone l v -> cone l (add (scale a y) v).

Section Note.
Variables (n : nat) (l : list vec) (X c : R) (z : vec) (w pick : nat -> vec) (M : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis nonempty : l <> [].
Hypothesis sep : separable n l.
Hypothesis square_X : largest_square n l X.
Hypothesis c_pos : 0 < c.
Hypothesis nearest : closest n l z.
Hypothesis run : krauth_mezard n l X c w pick M.

(* Delta = |z| is the largest margin. *)
Definition D := norm n z.
Lemma z_pos : 0 < ⟨z, z⟩.
Proof. apply (separable_away n l); [assumption | apply nearest]. Qed.
Lemma D_pos : 0 < D.
Proof. apply sqrt_lt_R0, z_pos. Qed.
Lemma D_square : D * D = ⟨z, z⟩.
Proof. apply norm_square. Qed.
Lemma D_largest : largest_margin n l D.
Proof. apply closest_margin; [assumption | apply z_pos]. Qed.
Lemma low y : In y l -> ⟨z, z⟩ <= ⟨z, y⟩.
Proof. intros H. apply (closest_low n l); [assumption | now apply corner]. Qed.
Lemma small y : In y l -> ⟨y, y⟩ <= X.
Proof. apply square_X. Qed.
Lemma X_pos : 0 < X.
Proof.
  destruct square_X as [[y [Hy <-]] _]. apply (separable_away n l); [assumption | now apply corner].
Qed.
Lemma inv_X_pos : 0 < / X.
Proof. apply Rinv_0_lt_compat, X_pos. Qed.
Lemma z_small y : In y l -> ⟨z, y⟩ <= X.
Proof.
  intros H. pose proof (cauchy_schwarz n z y). pose proof (low y H). pose proof (small y H). pose proof z_pos.
  destruct (Rle_dec ⟨z, y⟩ X); [assumption|exfalso]. pose proof X_pos. nra.
Qed.
Lemma duality v a : (forall y, In y l -> a <= ⟨v, y⟩) -> a <= ⟨v, z⟩.
Proof. intros H. apply (average n (fun y => In y l)); [assumption | apply nearest]. Qed.

(* w*: the shortest vector with all scores at least c; it is (c / Delta^2) z, of length c / Delta. *)
Definition wstar := scale (c / ⟨z, z⟩) z.
Theorem falkowski_wstar :
  stopped n l c wstar /\ (forall v, stopped n l c v -> norm n wstar <= norm n v) /\ norm n wstar = c / D.
Proof.
  pose proof z_pos. pose proof D_pos. pose proof D_square as DD.
  assert (E : norm n wstar = c / D).
  { unfold norm, wstar. rewrite dotZ, dotZr, <- DD.
    replace (c / (D * D) * (c / (D * D) * (D * D))) with (c / D * (c / D)) by (field; lra).
    apply sqrt_square, Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]. }
  repeat split; [intros y Hy | intros v Hv | assumption].
  - unfold wstar. rewrite dotZ. pose proof (low y Hy).
    apply Rmult_le_reg_l with (/ c); [now apply Rinv_0_lt_compat|].
    replace (/ c * (c / ⟨z, z⟩ * ⟨z, y⟩)) with (⟨z, y⟩ / ⟨z, z⟩) by (field; lra). rewrite Rinv_l by lra.
    apply Rmult_le_reg_r with ⟨z, z⟩; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - rewrite E. pose proof (duality v c Hv). pose proof (dot_norm n v z). fold D in *.
    apply Rmult_le_reg_r with D; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* One update. *)
Lemma norm_update t : (t < M)%nat -> ⟨w (S t), w (S t)⟩ <= ⟨w t, w t⟩ + 2 * ⟨w t, pick t⟩ / X + / X.
Proof.
  intros L. rewrite (km_step _ _ _ _ _ _ _ run t L), dotD, !dotDr, !dotZ, !dotZr, (dotC n (pick t) (w t)).
  pose proof (small _ (km_member _ _ _ _ _ _ _ run t L)) as S. pose proof inv_X_pos. pose proof X_pos.
  assert (/ X * ⟨pick t, pick t⟩ <= 1) by (rewrite <- (Rinv_l X) by lra; apply Rmult_le_compat_l; lra).
  assert (/ X * (/ X * ⟨pick t, pick t⟩) <= / X * 1) by (apply Rmult_le_compat_l; lra). unfold Rdiv. lra.
Qed.
Lemma along_update t : (t < M)%nat -> ⟨w (S t), z⟩ = ⟨w t, z⟩ + ⟨z, pick t⟩ / X.
Proof. intros L. rewrite (km_step _ _ _ _ _ _ _ run t L), dotD, dotZ, (dotC n (pick t)). unfold Rdiv. ring. Qed.
Lemma along_low t : (t < M)%nat -> ⟨z, z⟩ / X <= ⟨z, pick t⟩ / X.
Proof.
  intros L. pose proof inv_X_pos. apply Rmult_le_compat_r; [lra|]. apply low, (km_member _ _ _ _ _ _ _ run t L).
Qed.
Lemma along_high t : (t < M)%nat -> ⟨z, pick t⟩ / X <= 1.
Proof.
  intros L. pose proof X_pos. apply Rmult_le_reg_r with X; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  pose proof (z_small _ (km_member _ _ _ _ _ _ _ run t L)). lra.
Qed.
(* duality for the run: the lowest score is at most <w, z> *)
Lemma lowest_low t : (t < M)%nat -> ⟨w t, pick t⟩ <= ⟨w t, z⟩.
Proof. intros L. apply duality. intros y Hy. now apply (km_lowest _ _ _ _ _ _ _ run). Qed.
Lemma climb t : (t <= M)%nat -> ⟨w 0%nat, z⟩ + INR t * (⟨z, z⟩ / X) <= ⟨w t, z⟩.
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR, (along_update t L).
  pose proof (IH ltac:(lia)). pose proof (along_low t L). lra.
Qed.

Lemma eq3_one t : (t < M)%nat -> ⟨w (S t), w (S t)⟩ - ⟨w t, w t⟩ <= (2 * c + 1) / X.
Proof.
  intros L. pose proof (norm_update t L). pose proof (km_running _ _ _ _ _ _ _ run t L). pose proof inv_X_pos.
  assert (2 * ⟨w t, pick t⟩ * / X <= 2 * c * / X) by (apply Rmult_le_compat_r; lra). unfold Rdiv in *. lra.
Qed.
Theorem falkowski_eq3_step t : (t < M)%nat ->
  ⟨w (S t), w (S t)⟩ - ⟨w t, w t⟩ = 2 / X * ⟨w t, pick t⟩ + 1 / (X * X) * ⟨pick t, pick t⟩ /\
  2 / X * ⟨w t, pick t⟩ + 1 / (X * X) * ⟨pick t, pick t⟩ <= (2 * c + 1) / X.
Proof.
  intros L. assert (E : ⟨w (S t), w (S t)⟩ - ⟨w t, w t⟩ = 2 / X * ⟨w t, pick t⟩ + 1 / (X * X) * ⟨pick t, pick t⟩).
  { rewrite (km_step _ _ _ _ _ _ _ run t L), dotD, !dotDr, !dotZ, !dotZr, (dotC n (pick t) (w t)).
    field. pose proof X_pos. lra. }
  split; [assumption|]. rewrite <- E. now apply eq3_one.
Qed.

Lemma eq3_all t : (t <= M)%nat -> ⟨w t, w t⟩ <= INR t * ((2 * c + 1) / X) + ⟨w 0%nat, w 0%nat⟩.
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR.
  pose proof (eq3_one t L). pose proof (IH ltac:(lia)). lra.
Qed.
Theorem falkowski_eq3 : ⟨w M, w M⟩ <= INR M * ((2 * c + 1) / X) + ⟨w 0%nat, w 0%nat⟩.
Proof. now apply eq3_all. Qed.

(* (6), with A = |w_M|^2 / [c (M + Lambda) / X], Lambda >= 0 the sum of the lambda_j; from any start *)
Theorem falkowski_eq6 Lambda : (0 < M)%nat -> 0 <= Lambda ->
  ⟨w M, w M⟩ / (c * (INR M + Lambda) / X) <= X / c * ((2 * c + 1) / X + ⟨w 0%nat, w 0%nat⟩ / INR M).
Proof.
  intros P PL. pose proof falkowski_eq3 as A. pose proof X_pos. assert (PM : 0 < INR M) by (now apply lt_0_INR).
  pose proof (dot_pos n (w M)).
  replace (⟨w M, w M⟩ / (c * (INR M + Lambda) / X)) with (X / c * (⟨w M, w M⟩ * / (INR M + Lambda))) by (field; lra).
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
  apply Rle_trans with (⟨w M, w M⟩ * / INR M).
  - apply Rmult_le_compat_l; [assumption | apply Rinv_le_contravar; lra].
  - apply Rmult_le_reg_r with (INR M); [assumption|]. rewrite Rmult_assoc, Rinv_l by lra.
    replace (((2 * c + 1) / X + ⟨w 0%nat, w 0%nat⟩ / INR M) * INR M)
      with (INR M * ((2 * c + 1) / X) + ⟨w 0%nat, w 0%nat⟩) by (field; lra). lra.
Qed.

(* w_t = a(t) w* + k_t with <k_t, w*> = 0: (7), and (8) as corrected *)
Definition a t := ⟨w t, wstar⟩ / ⟨wstar, wstar⟩.
Definition k t := add (w t) (scale (- a t) wstar).
Lemma wstar_square : ⟨wstar, wstar⟩ = c * c / ⟨z, z⟩.
Proof. unfold wstar. rewrite dotZ, dotZr. pose proof z_pos. field. lra. Qed.
Lemma wstar_pos : 0 < ⟨wstar, wstar⟩.
Proof. rewrite wstar_square. apply Rdiv_lt_0_compat; [nra | apply z_pos]. Qed.
Lemma a_along t : c * a t = ⟨w t, z⟩.
Proof. unfold a. rewrite wstar_square. unfold wstar. rewrite dotZr. pose proof z_pos. field. lra. Qed.
Theorem falkowski_eq7 t : w t = add (scale (a t) wstar) (k t) /\ ⟨k t, wstar⟩ = 0.
Proof.
  split.
  - apply functional_extensionality. intros i. unfold k, add, scale. ring.
  - unfold k. rewrite dotD, dotZ. unfold a. pose proof wstar_pos. field. lra.
Qed.
Lemma k_z t : ⟨k t, z⟩ = 0.
Proof.
  destruct (falkowski_eq7 t) as [_ K]. unfold wstar in K. rewrite dotZr in K. pose proof z_pos.
  assert (0 < c / ⟨z, z⟩) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.
Lemma k_score t y : ⟨k t, y⟩ = ⟨w t, y⟩ - ⟨w t, z⟩ * (⟨z, y⟩ / ⟨z, z⟩).
Proof.
  unfold k. rewrite dotD, dotZ. unfold wstar. rewrite dotZ. rewrite <- a_along. pose proof z_pos. field. lra.
Qed.
Lemma k_square t : ⟨k t, k t⟩ = ⟨w t, w t⟩ - ⟨w t, z⟩ * ⟨w t, z⟩ / ⟨z, z⟩.
Proof.
  pose proof z_pos.
  assert (E : ⟨k t, k t⟩ = ⟨k t, w t⟩).
  { unfold k at 2. rewrite dotDr, dotZr. destruct (falkowski_eq7 t) as [_ ->]. ring. }
  rewrite E, k_score, (dotC n z (w t)). field. lra.
Qed.

(* (9) as corrected: whenever a(t) >= 0, the pick does not point along k_t. *)
Theorem falkowski_eq9 t : (t < M)%nat -> 0 <= a t -> ⟨k t, pick t⟩ <= 0.
Proof.
  intros L P. rewrite k_score. pose proof z_pos. pose proof (a_along t) as A. pose proof (lowest_low t L).
  pose proof (low _ (km_member _ _ _ _ _ _ _ run t L)) as Lz.
  assert (Y : 0 <= ⟨w t, z⟩) by nra.
  assert (1 <= ⟨z, pick t⟩ / ⟨z, z⟩).
  { apply Rmult_le_reg_r with ⟨z, z⟩; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (⟨w t, z⟩ * 1 <= ⟨w t, z⟩ * (⟨z, pick t⟩ / ⟨z, z⟩)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma k_update t : (t < M)%nat -> 0 <= a t -> ⟨k (S t), k (S t)⟩ <= ⟨k t, k t⟩ + / X.
Proof.
  intros L P. pose proof z_pos. pose proof inv_X_pos. pose proof X_pos.
  assert (E : ⟨k (S t), k (S t)⟩ = ⟨k t, k t⟩ + 2 * / X * ⟨k t, pick t⟩
                + / X * / X * (⟨pick t, pick t⟩ - ⟨z, pick t⟩ * ⟨z, pick t⟩ / ⟨z, z⟩)).
  { rewrite !k_square, k_score, along_update, (km_step _ _ _ _ _ _ _ run t L) by assumption.
    rewrite dotD, !dotDr, !dotZ, !dotZr, (dotC n (pick t) (w t)). field. lra. }
  pose proof (falkowski_eq9 t L P). pose proof (small _ (km_member _ _ _ _ _ _ _ run t L)).
  assert (0 <= ⟨z, pick t⟩ * ⟨z, pick t⟩ / ⟨z, z⟩).
  { apply Rmult_le_pos; [nra | left; now apply Rinv_0_lt_compat]. }
  assert (/ X * / X * (⟨pick t, pick t⟩ - ⟨z, pick t⟩ * ⟨z, pick t⟩ / ⟨z, z⟩) <= / X * / X * X).
  { apply Rmult_le_compat_l; [nra | lra]. }
  replace (/ X * / X * X) with (/ X) in * by (field; lra).
  assert (2 * / X * ⟨k t, pick t⟩ <= 0) by nra. lra.
Qed.

(* What (4) becomes from any start: M is at most the larger root of this inequality. *)
Theorem falkowski_any_start :
  (⟨w 0%nat, z⟩ + INR M * (⟨z, z⟩ / X)) * (⟨w 0%nat, z⟩ + INR M * (⟨z, z⟩ / X))
  <= D * D * (INR M * ((2 * c + 1) / X) + ⟨w 0%nat, w 0%nat⟩).
Proof.
  rewrite D_square. pose proof (climb M ltac:(lia)) as Y. pose proof falkowski_eq3 as N. pose proof z_pos as Pz.
  pose proof (cauchy_schwarz n (w M) z) as C. pose proof (cauchy_schwarz n (w 0%nat) z) as C0.
  pose proof (pos_INR M) as PM. pose proof X_pos as PX. pose proof c_pos.
  assert (G : 0 <= INR M * (⟨z, z⟩ / X)) by (apply Rmult_le_pos; [assumption | left; now apply Rdiv_lt_0_compat]).
  assert (Q : 0 <= INR M * ((2 * c + 1) / X)) by (apply Rmult_le_pos; [assumption | left; apply Rdiv_lt_0_compat; lra]).
  set (r := ⟨w 0%nat, z⟩ + INR M * (⟨z, z⟩ / X)) in *. set (q := INR M * ((2 * c + 1) / X)) in *.
  destruct (Rle_dec 0 r) as [P|P].
  - assert (r * r <= ⟨w M, z⟩ * ⟨w M, z⟩) by (apply Rmult_le_compat; lra).
    assert (⟨z, z⟩ * ⟨w M, w M⟩ <= ⟨z, z⟩ * (q + ⟨w 0%nat, w 0%nat⟩)) by (apply Rmult_le_compat_l; lra). lra.
  - assert (r * r <= ⟨w 0%nat, z⟩ * ⟨w 0%nat, z⟩) by (unfold r in *; nra).
    assert (0 <= ⟨z, z⟩ * q) by (apply Rmult_le_pos; lra). lra.
Qed.

(* --- The starts of the note: w_0 in the cone of the patterns. --- *)
Hypothesis start : cone l (w 0%nat).

Lemma cone_along v : cone l v -> 0 <= ⟨v, z⟩.
Proof.
  induction 1 as [|b y v Pb Hy _ IH]; [rewrite dot0; lra|]. rewrite dotD, dotZ, (dotC n y z).
  pose proof (low y Hy). pose proof z_pos. nra.
Qed.
Lemma cone_climb t : (t <= M)%nat -> INR t * (⟨z, z⟩ / X) <= ⟨w t, z⟩.
Proof. intros L. pose proof (climb t L). pose proof (cone_along _ start). lra. Qed.

Theorem falkowski_eq8_positive : 0 <= a 0 /\ forall t, (0 < t <= M)%nat -> 0 < a t.
Proof.
  assert (P : forall t, 0 <= ⟨w t, z⟩ -> 0 <= a t).
  { intros t Y. pose proof (a_along t). destruct (Rle_dec 0 (a t)); [assumption|nra]. }
  split; [apply P, cone_along, start|]. intros t L. pose proof (cone_climb t ltac:(lia)) as Y.
  assert (0 < INR t * (⟨z, z⟩ / X)).
  { apply Rmult_lt_0_compat; [apply lt_0_INR; lia | apply Rdiv_lt_0_compat; [apply z_pos | apply X_pos]]. }
  pose proof (a_along t). destruct (Rlt_dec 0 (a t)); [assumption|nra].
Qed.
Lemma a_nonneg t : (t <= M)%nat -> 0 <= a t.
Proof. destruct falkowski_eq8_positive as [A B]. intros L. destruct t; [assumption | left; apply B; lia]. Qed.

(* (9) as corrected, for the starts of the note *)
Theorem falkowski_eq9_note t : (t < M)%nat -> ⟨k t, pick t⟩ <= 0.
Proof. intros L. apply falkowski_eq9; [assumption | apply a_nonneg; lia]. Qed.

(* (4): the number of updates *)
Theorem falkowski_eq4 : INR M <= X * X / (D * D) * ((2 * c + 1) / X + ⟨w 0%nat, w 0%nat⟩).
Proof.
  rewrite D_square. pose proof z_pos as Pz. pose proof X_pos as PX. pose proof (dot_pos n (w 0%nat)) as P0.
  assert (P1 : 0 < (2 * c + 1) / X) by (apply Rdiv_lt_0_compat; lra).
  destruct (Nat.eq_dec M 0) as [->|NZ].
  { simpl. apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; nra | lra]. }
  assert (PM : 1 <= INR M) by (change 1 with (INR 1); apply le_INR; lia).
  pose proof (cone_climb M ltac:(lia)) as Y. pose proof falkowski_eq3 as N.
  pose proof (cauchy_schwarz n (w M) z) as C.
  set (g := ⟨z, z⟩ / X) in *. assert (Pg : 0 < g) by (apply Rdiv_lt_0_compat; assumption).
  assert (Y2 : INR M * g * (INR M * g) <= ⟨w M, z⟩ * ⟨w M, z⟩) by (apply Rmult_le_compat; nra).
  set (q := (2 * c + 1) / X + ⟨w 0%nat, w 0%nat⟩).
  assert (Nq : ⟨w M, w M⟩ <= INR M * q) by (unfold q; nra).
  assert (Z : INR M * g * (INR M * g) <= INR M * q * ⟨z, z⟩).
  { apply Rle_trans with (⟨w M, w M⟩ * ⟨z, z⟩); [lra | apply Rmult_le_compat_r; lra]. }
  assert (E : INR M * (g * g) <= q * ⟨z, z⟩) by (apply Rmult_le_reg_l with (INR M); nra).
  apply Rmult_le_reg_r with (g * g); [nra|].
  replace (X * X / ⟨z, z⟩ * q * (g * g)) with (q * ⟨z, z⟩) by (unfold g; field; lra). exact E.
Qed.

(* (10) *)
Theorem falkowski_eq10 t : (t <= M)%nat -> norm n (k t) <= sqrt (INR t / X + ⟨k 0%nat, k 0%nat⟩).
Proof.
  intros L. unfold norm. apply sqrt_le_1_alt. pose proof X_pos.
  assert (H0 : forall s, (s <= M)%nat -> ⟨k s, k s⟩ <= INR s * / X + ⟨k 0%nat, k 0%nat⟩); [|now apply H0].
  induction s as [|s IH]; intros Ls; [simpl; lra|]. rewrite S_INR.
  pose proof (k_update s Ls (a_nonneg s ltac:(lia))). pose proof (IH ltac:(lia)). lra.
Qed.

(* before (11), with the sign corrected *)
Theorem falkowski_eq11_sign t : (t < M)%nat -> a t < (c - ⟨k t, pick t⟩) / c.
Proof.
  intros L. pose proof z_pos. pose proof (km_running _ _ _ _ _ _ _ run t L) as R.
  pose proof (low _ (km_member _ _ _ _ _ _ _ run t L)) as Lz. pose proof (a_nonneg t ltac:(lia)) as Pa.
  pose proof (a_along t) as A. pose proof (k_score t (pick t)) as K.
  assert (1 <= ⟨z, pick t⟩ / ⟨z, z⟩).
  { apply Rmult_le_reg_r with ⟨z, z⟩; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (⟨w t, z⟩ * 1 <= ⟨w t, z⟩ * (⟨z, pick t⟩ / ⟨z, z⟩)) by (apply Rmult_le_compat_l; nra).
  apply Rmult_lt_reg_r with c; [assumption|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma k_pick t : (t < M)%nat -> - ⟨k t, pick t⟩ <= sqrt (INR t + X * ⟨k 0%nat, k 0%nat⟩).
Proof.
  intros L. pose proof X_pos. pose proof (falkowski_eq10 t ltac:(lia)) as K10.
  pose proof (dot_norm n (scale (-1) (k t)) (pick t)) as C. rewrite dotZ in C.
  assert (N1 : norm n (scale (-1) (k t)) = norm n (k t)) by (unfold norm; rewrite dotZ, dotZr; f_equal; ring).
  assert (N2 : norm n (pick t) <= sqrt X).
  { apply sqrt_le_1_alt, small, (km_member _ _ _ _ _ _ _ run t L). }
  pose proof (norm_pos n (k t)). pose proof (norm_pos n (pick t)).
  apply Rle_trans with (sqrt (INR t / X + ⟨k 0%nat, k 0%nat⟩) * sqrt X).
  - apply Rle_trans with (norm n (k t) * norm n (pick t)); [rewrite N1 in C; lra | now apply Rmult_le_compat].
  - rewrite <- sqrt_mult_alt.
    + right. f_equal. field. lra.
    + pose proof (dot_pos n (k 0%nat)). pose proof (pos_INR t). assert (0 <= INR t / X); [|lra].
      apply Rmult_le_pos; [assumption | left; apply inv_X_pos].
Qed.

(* (11) *)
Theorem falkowski_eq11 t : M = S t -> a t <= (c + sqrt (INR t + X * ⟨k 0%nat, k 0%nat⟩)) / c.
Proof.
  intros E. left. eapply Rlt_le_trans; [apply falkowski_eq11_sign; lia|]. pose proof (k_pick t ltac:(lia)).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
Qed.

Lemma eq12_gain t : M = S t -> a (S t) - a t <= D / (c * sqrt X).
Proof.
  intros E. assert (L : (t < M)%nat) by lia. pose proof X_pos. pose proof D_pos. pose proof (a_along t) as A0. pose proof (a_along (S t)) as A1.
  rewrite (along_update t L) in A1. assert (Ps : 0 < sqrt X) by (apply sqrt_lt_R0; assumption).
  assert (Es : sqrt X * sqrt X = X) by (apply sqrt_sqrt; lra).
  assert (B : ⟨z, pick t⟩ <= D * sqrt X).
  { eapply Rle_trans; [apply dot_norm|]. apply Rmult_le_compat_l; [apply norm_pos|].
    apply sqrt_le_1_alt, small, (km_member _ _ _ _ _ _ _ run t L). }
  assert (G : ⟨z, pick t⟩ / X <= D / sqrt X).
  { apply Rmult_le_reg_r with X; [assumption|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (D / sqrt X * X) with (D / sqrt X * (sqrt X * sqrt X)) by (rewrite Es; reflexivity).
    replace (D / sqrt X * (sqrt X * sqrt X)) with (D * sqrt X) by (field; lra). assumption. }
  apply Rmult_le_reg_l with c; [assumption|]. replace (c * (D / (c * sqrt X))) with (D / sqrt X) by (field; lra). lra.
Qed.

Theorem falkowski_eq12_step t : M = S t ->
  a M - a t = / X * ⟨pick t, wstar⟩ / ⟨wstar, wstar⟩ /\ a M - a t <= D / (c * sqrt X).
Proof.
  intros E. split; [|rewrite E at 1; now apply eq12_gain].
  unfold a. rewrite E at 1. rewrite (km_step _ _ _ _ _ _ _ run t ltac:(lia)), dotD, dotZ. pose proof wstar_pos. field.
  pose proof X_pos. lra.
Qed.

(* (12) *)
Theorem falkowski_eq12 t : M = S t ->
  a M <= (c + sqrt (INR t + X * ⟨k 0%nat, k 0%nat⟩)) / c + D / (c * sqrt X).
Proof.
  intros E. pose proof (falkowski_eq11 t E). pose proof (eq12_gain t E). rewrite E in *. lra.
Qed.

(* (13) *)
Theorem falkowski_eq13 t : M = S t ->
  norm n (w M) <= norm n wstar * ((c + sqrt (INR t + X * ⟨k 0%nat, k 0%nat⟩)) / c + D / (c * sqrt X)
                                  + D / c * sqrt (INR M / X + ⟨k 0%nat, k 0%nat⟩)).
Proof.
  intros E. pose proof (falkowski_eq12 t E) as A. pose proof (falkowski_eq10 M ltac:(lia)) as K.
  destruct falkowski_wstar as [_ [_ W]]. pose proof D_pos. pose proof (a_nonneg M ltac:(lia)) as Pa.
  assert (Pw : 0 < norm n wstar) by (rewrite W; now apply Rdiv_lt_0_compat).
  (* the triangle inequality for w = a w* + k *)
  assert (Tri : norm n (w M) <= a M * norm n wstar + norm n (k M)).
  { pose proof (norm_pos n (k M)). apply Rsqr_incr_0; unfold Rsqr; [|apply norm_pos | apply Rplus_le_le_0_compat; nra].
    rewrite norm_square. destruct (falkowski_eq7 M) as [Ew Ek].
    assert (Q : ⟨w M, w M⟩ = a M * a M * ⟨wstar, wstar⟩ + ⟨k M, k M⟩).
    { rewrite Ew at 1. rewrite Ew at 1. rewrite dotD, !dotDr, !dotZ, !dotZr, (dotC n wstar (k M)), Ek. ring. }
    rewrite Q, <- !norm_square. assert (0 <= a M * norm n wstar * norm n (k M)) by (apply Rmult_le_pos; nra). lra. }
  rewrite Rmult_plus_distr_l.
  assert (E2 : norm n wstar * (D / c * sqrt (INR M / X + ⟨k 0%nat, k 0%nat⟩)) = sqrt (INR M / X + ⟨k 0%nat, k 0%nat⟩)).
  { rewrite W. field. lra. }
  rewrite E2. set (b := (c + sqrt (INR t + X * ⟨k 0%nat, k 0%nat⟩)) / c + D / (c * sqrt X)) in *.
  assert (a M * norm n wstar <= norm n wstar * b) by (rewrite (Rmult_comm (norm n wstar)); apply Rmult_le_compat_r; lra).
  lra.
Qed.

End Note.

(* (14), first half: where a run has stopped, c / Delta <= c / Delta_c <= |w_M|; m is the margin of w_M. *)
Theorem falkowski_eq14 n l c d m v : 0 < c -> l <> [] -> largest_margin n l d -> stopped n l c v ->
  (forall y, In y l -> m <= dot n (scale (/ norm n v) v) y) ->
  (exists y, In y l /\ m = dot n (scale (/ norm n v) v) y) ->
  c / d <= c / m /\ c / m <= norm n v.
Proof.
  intros Pc NE [_ best] Hs Hm [y [Hy E]].
  assert (Pv : 0 < norm n v).
  { destruct (Req_dec (norm n v) 0) as [Z|]; [|pose proof (norm_pos n v); lra].
    exfalso. pose proof (Hs y Hy). pose proof (dot_norm n v y). rewrite Z in *. lra. }
  assert (Pm : 0 < m).
  { rewrite E, dotZ. pose proof (Hs y Hy). apply Rmult_lt_0_compat; [now apply Rinv_0_lt_compat | lra]. }
  assert (U : dot n (scale (/ norm n v) v) (scale (/ norm n v) v) = 1) by (rewrite dotZ, dotZr, <- norm_square; field; lra).
  split.
  - apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [assumption | now apply (best (scale (/ norm n v) v))].
  - rewrite dotZ in E. pose proof (Hs y Hy). apply Rmult_le_reg_r with m; [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite E.
    replace (norm n v * (/ norm n v * dot n v y)) with (dot n v y) by (field; lra). lra.
Qed.

(* --- What is printed and false --- *)

(* (9) with <: on the one pattern (1, 0) from zero k_t vanishes. *)
Definition e1 : vec := fun i => match i with 0%nat => 1 | _ => 0 end.
Lemma e1_closest : closest 2 [e1] e1.
Proof.
  split; [apply corner; now left|]. intros h Hh. right.
  assert (h = e1) as ->; [|reflexivity].
  induction Hh as [y [<-|[]] | b u v B _ -> _ ->]; [reflexivity|].
  apply functional_extensionality. intros i. unfold add, scale. ring.
Qed.
Definition one_update (t : nat) : vec := match t with O => zero | _ => add zero (scale (/ 1) e1) end.
Definition printed_eq9 : Prop := forall n l X c z w pick M, l <> [] -> separable n l -> largest_square n l X -> 0 < c ->
  closest n l z -> krauth_mezard n l X c w pick M -> cone l (w 0%nat) ->
  forall t, (t < M)%nat -> dot n (k n c z w t) (pick t) < 0.
Theorem falkowski_eq9_refuted : ~ printed_eq9.
Proof.
  intros H.
  specialize (H 2%nat [e1] 1 1 e1 one_update (fun _ => e1) 1%nat).
  assert (G : dot 2 (k 2 1 e1 one_update 0) e1 < 0).
  { apply H; try lia; try lra.
    - discriminate.
    - exists e1. intros y [<-|[]]. simpl. lra.
    - split; [exists e1; split; [now left | simpl; lra]|]. intros y [<-|[]]. simpl. lra.
    - exact e1_closest.
    - split.
      + intros t _. now left.
      + intros t y _ [<-|[]]. lra.
      + intros [|t] L; [unfold one_update; rewrite dot0; lra | lia].
      + intros [|t] L; [reflexivity | lia].
    - apply cone_zero. }
  unfold k, a, one_update in G. rewrite dotD, dotZ, !dot0 in G. unfold Rdiv in G. lra.
Qed.

(* (4) from any start: patterns (5, 0) and (3, 4), start (-0.12, -0.06), c = 0.01. It allows 1.8375 updates; 2 are made. *)
Definition five : vec := fun i => match i with 0%nat => 5 | _ => 0 end.
Definition three_four : vec := fun i => match i with 0%nat => 3 | 1%nat => 4 | _ => 0 end.
Definition wrong_side : vec := fun i => match i with 0%nat => - 12 / 100 | 1%nat => - 6 / 100 | _ => 0 end.
Definition two_updates (t : nat) : vec := match t with
  | 0%nat => wrong_side
  | 1%nat => add wrong_side (scale (/ 25) five)
  | _ => add (add wrong_side (scale (/ 25) five)) (scale (/ 25) three_four) end.
Definition two_picks (t : nat) : vec := match t with 0%nat => five | _ => three_four end.
Definition eq4_from_any_start : Prop := forall n l X c d w pick M, l <> [] -> separable n l -> largest_square n l X ->
  0 < c -> largest_margin n l d -> krauth_mezard n l X c w pick M ->
  INR M <= X * X / (d * d) * ((2 * c + 1) / X + dot n (w 0%nat) (w 0%nat)).

Lemma two_updates_run : krauth_mezard 2 [five; three_four] 25 (1 / 100) two_updates two_picks 2.
Proof.
  split; intros [|[|t]]; try (intros; exfalso; lia).
  - intros _. now left.
  - intros _. right. now left.
  - intros y _ [<-|[<-|[]]]; unfold two_updates, two_picks, wrong_side, five, three_four, add, scale; simpl; lra.
  - intros y _ [<-|[<-|[]]]; unfold two_updates, two_picks, wrong_side, five, three_four, add, scale; simpl; lra.
  - intros _. unfold two_updates, two_picks, wrong_side, five. simpl. lra.
  - intros _. unfold two_updates, two_picks, wrong_side, five, three_four, add, scale. simpl. lra.
  - reflexivity.
  - reflexivity.
Qed.

Theorem falkowski_first_part_refuted : ~ eq4_from_any_start.
Proof.
  intros H. set (l := [five; three_four]).
  set (z := add (scale (1 / 2) five) (scale (1 - 1 / 2) three_four)).
  assert (zz : dot 2 z z = 20) by (unfold z, five, three_four, add, scale; simpl; lra).
  assert (Low : forall y, In y l -> 20 <= dot 2 z y).
  { intros y [<-|[<-|[]]]; unfold z, five, three_four, add, scale; simpl; lra. }
  assert (Cl : closest 2 l z).
  { split; [apply between; [lra | apply corner; now left | apply corner; right; now left]|].
    intros h Hh. pose proof (average 2 _ z 20 h Low Hh). pose proof (cauchy_schwarz 2 z h). rewrite zz in *. nra. }
  assert (S : separable 2 l) by (exists z; intros y Hy; pose proof (Low y Hy); lra).
  pose proof (closest_margin 2 l z Cl ltac:(lra)) as Mz.
  assert (G : INR 2 <= 25 * 25 / (norm 2 z * norm 2 z) *
              ((2 * (1 / 100) + 1) / 25 + dot 2 (two_updates 0) (two_updates 0))).
  { apply (H 2%nat l 25 (1 / 100) (norm 2 z) two_updates two_picks 2%nat); try assumption; try lra.
    - discriminate.
    - split; [exists five; split; [now left | unfold five; simpl; lra]|].
      intros y [<-|[<-|[]]]; unfold five, three_four; simpl; lra.
    - exact two_updates_run. }
  rewrite norm_square, zz in G. unfold two_updates, wrong_side in G. simpl in G. lra.
Qed.
