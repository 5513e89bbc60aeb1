(* Liang's note: (4)-(24) as they hold, and what is refuted: (7), (8) and Claim 1. *)
Require Import Reals List Lra Lia Psatz.
From Margin Require Import Inner Lecture.
Import ListNotations.
Open Scope R_scope.

(* A pattern is y_i X_i; V is the perfect W*, of any length; rho = min y_j W* . X_j, Rmax = max |y_j X_j|. *)
Section Run.
Variables (n : nat) (l : list vec) (V : vec) (rho Rmax : R) (W x : nat -> vec) (T : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis rho_pos : 0 < rho.
Hypothesis perfect : forall y, In y l -> rho <= ⟨V, y⟩.
Hypothesis longest : forall y, In y l -> norm n y <= Rmax.
Hypothesis run : corrections n l W x T.

Theorem liang_eq2 t : (t < T)%nat -> ⟨V, W (S t)⟩ = ⟨V, add (W t) (x t)⟩ /\ ⟨V, W (S t)⟩ = ⟨V, W t⟩ + ⟨V, x t⟩.
Proof. intros L. rewrite (step _ _ _ _ _ run t L), dotDr. now split. Qed.

Theorem liang_eq4 t : (t < T)%nat -> ⟨V, W (S t)⟩ >= ⟨V, W t⟩ + rho.
Proof. intros L. destruct (liang_eq2 t L) as [_ ->]. pose proof (perfect _ (member _ _ _ _ _ run t L)). lra. Qed.

Theorem liang_eq5 t : (t < T)%nat -> ⟨V, W (S t)⟩ > ⟨V, W t⟩.
Proof. intros L. pose proof (liang_eq4 t L). lra. Qed.

(* (7) with W_t in the mixed term *)
Theorem liang_eq7 t : (t < T)%nat -> ⟨W (S t), W (S t)⟩ = ⟨W t, W t⟩ + 2 * ⟨W t, x t⟩ + ⟨x t, x t⟩.
Proof. intros L. rewrite (step _ _ _ _ _ run t L), dotD, !dotDr, (dotC n (x t) (W t)). ring. Qed.

(* (8), read against the beginning of its chain *)
Theorem liang_eq8 t : (t < T)%nat -> ⟨W (S t), W (S t)⟩ <= ⟨W t, W t⟩ + ⟨x t, x t⟩.
Proof. intros L. rewrite (liang_eq7 t L). pose proof (wrong _ _ _ _ _ run t L). lra. Qed.
Theorem liang_eq9 t : (t < T)%nat -> ⟨W (S t), W (S t)⟩ <= ⟨W t, W t⟩ + Rmax * Rmax.
Proof.
  intros L. pose proof (liang_eq8 t L). pose proof (longest _ (member _ _ _ _ _ run t L)).
  pose proof (norm_pos n (x t)). pose proof (norm_square n (x t)).
  assert (norm n (x t) * norm n (x t) <= Rmax * Rmax) by (apply Rmult_le_compat; lra). lra.
Qed.

Theorem liang_eq14 : ⟨V, W T⟩ >= ⟨V, W 0%nat⟩ + INR T * rho.
Proof.
  assert (H : forall t, (t <= T)%nat -> ⟨V, W t⟩ >= ⟨V, W 0%nat⟩ + INR t * rho); [|now apply H].
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR.
  pose proof (liang_eq4 t L). pose proof (IH ltac:(lia)). lra.
Qed.

Theorem liang_eq21 : ⟨W T, W T⟩ <= ⟨W 0%nat, W 0%nat⟩ + INR T * (Rmax * Rmax).
Proof.
  assert (H : forall t, (t <= T)%nat -> ⟨W t, W t⟩ <= ⟨W 0%nat, W 0%nat⟩ + INR t * (Rmax * Rmax)); [|now apply H].
  induction t as [|t IH]; intros L; [simpl; lra|]. rewrite S_INR.
  pose proof (liang_eq9 t L). pose proof (IH ltac:(lia)). lra.
Qed.

Hypothesis start : W 0%nat = zero.

Theorem liang_eq15 : ⟨V, W T⟩ >= INR T * rho.
Proof. pose proof liang_eq14 as H. rewrite start, dotC, (dotC n V zero), dot0, dotC in H. lra. Qed.

Theorem liang_eq22 : ⟨W T, W T⟩ <= INR T * (Rmax * Rmax).
Proof. pose proof liang_eq21 as H. rewrite start, dot0 in H. lra. Qed.

Hypothesis some : (0 < T)%nat.

Lemma away : 0 < norm n V /\ 0 < norm n (W T) /\ 0 < Rmax.
Proof.
  pose proof liang_eq15 as A. assert (P : 0 < INR T) by (now apply lt_0_INR).
  assert (Q : 0 < ⟨V, W T⟩) by nra. pose proof (dot_norm n V (W T)).
  pose proof (norm_pos n V). pose proof (norm_pos n (W T)).
  pose proof (longest _ (member _ _ _ _ _ run 0%nat some)). pose proof (norm_pos n (x 0%nat)).
  assert (NV : 0 < norm n V) by (destruct (Req_dec (norm n V) 0) as [Z|]; [rewrite Z in *; lra | lra]).
  assert (NW : 0 < norm n (W T)) by (destruct (Req_dec (norm n (W T)) 0) as [Z|]; [rewrite Z in *; lra | lra]).
  repeat split; try assumption.
  destruct (Req_dec Rmax 0) as [Z|]; [|lra]. exfalso. pose proof liang_eq22 as B. rewrite Z in B.
  rewrite <- norm_square in B. nra.
Qed.

(* (23): the cosine after T corrections *)
Theorem liang_eq23 :
  ⟨V, W T⟩ / (norm n V * norm n (W T)) >= sqrt (INR T) * (rho / (norm n V * Rmax)).
Proof.
  destruct away as [NV [NW NR]]. pose proof liang_eq15 as A. pose proof liang_eq22 as B.
  assert (P : 0 < INR T) by (now apply lt_0_INR). set (s := sqrt (INR T)).
  assert (Ps : 0 < s) by (apply sqrt_lt_R0; assumption).
  assert (Es : s * s = INR T) by (apply sqrt_sqrt; lra).
  assert (Le : norm n (W T) <= s * Rmax).
  { apply Rsqr_incr_0; unfold Rsqr; [rewrite norm_square; nra | lra | nra]. }
  apply Rle_ge. apply Rmult_le_reg_r with (norm n V * norm n (W T) * Rmax); [apply Rmult_lt_0_compat; nra|].
  replace (s * (rho / (norm n V * Rmax)) * (norm n V * norm n (W T) * Rmax)) with (s * rho * norm n (W T)) by (field; lra).
  replace (⟨V, W T⟩ / (norm n V * norm n (W T)) * (norm n V * norm n (W T) * Rmax)) with (⟨V, W T⟩ * Rmax) by (field; lra).
  apply Rle_trans with (s * rho * (s * Rmax)); [apply Rmult_le_compat_l; nra|].
  replace (s * rho * (s * Rmax)) with (s * s * rho * Rmax) by ring. rewrite Es. apply Rmult_le_compat_r; lra.
Qed.

(* (24), with W_T for W^T *)
Theorem liang_eq24 : INR T <= Rmax * Rmax * (⟨V, W T⟩ * ⟨V, W T⟩) / (⟨W T, W T⟩ * (rho * rho)).
Proof.
  destruct away as [NV [NW NR]]. pose proof liang_eq15 as A. pose proof liang_eq22 as B.
  assert (P : 0 < INR T) by (now apply lt_0_INR).
  assert (PW : 0 < ⟨W T, W T⟩) by (rewrite <- norm_square; now apply Rmult_lt_0_compat).
  assert (Q : INR T * rho * (INR T * rho) <= ⟨V, W T⟩ * ⟨V, W T⟩) by (apply Rmult_le_compat; nra).
  assert (Pr : 0 < rho * rho) by nra. assert (PR : 0 < Rmax * Rmax) by nra.
  assert (K : 0 < ⟨W T, W T⟩ * (rho * rho)) by (now apply Rmult_lt_0_compat).
  apply Rmult_le_reg_r with (⟨W T, W T⟩ * (rho * rho)); [assumption|].
  unfold Rdiv. rewrite (Rmult_assoc (Rmax * Rmax * _)), Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (INR T * (INR T * (Rmax * Rmax) * (rho * rho))).
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra.
  - replace (INR T * (INR T * (Rmax * Rmax) * (rho * rho))) with (Rmax * Rmax * (INR T * rho * (INR T * rho))) by ring.
    apply Rmult_le_compat_l; lra.
Qed.

(* its right side is, by Cauchy and Schwarz, at most this *)
Theorem liang_eq24_known : Rmax * Rmax * (⟨V, W T⟩ * ⟨V, W T⟩) / (⟨W T, W T⟩ * (rho * rho)) <= Rmax * Rmax * ⟨V, V⟩ / (rho * rho).
Proof.
  destruct away as [NV [NW NR]]. pose proof (cauchy_schwarz n V (W T)) as C.
  assert (PW : 0 < ⟨W T, W T⟩) by (rewrite <- norm_square; now apply Rmult_lt_0_compat).
  assert (Pr : 0 < rho * rho) by nra. assert (PR : 0 < Rmax * Rmax) by nra.
  apply Rmult_le_reg_r with (⟨W T, W T⟩ * (rho * rho)); [now apply Rmult_lt_0_compat|].
  replace (Rmax * Rmax * (⟨V, W T⟩ * ⟨V, W T⟩) / (⟨W T, W T⟩ * (rho * rho)) * (⟨W T, W T⟩ * (rho * rho)))
    with (Rmax * Rmax * (⟨V, W T⟩ * ⟨V, W T⟩)) by (field; split; lra).
  replace (Rmax * Rmax * ⟨V, V⟩ / (rho * rho) * (⟨W T, W T⟩ * (rho * rho))) with (Rmax * Rmax * (⟨V, V⟩ * ⟨W T, W T⟩)) by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

(* its right side, by Cauchy and Schwarz, at most this: known before the run *)
Theorem liang_eq24_before : INR T <= Rmax * Rmax * ⟨V, V⟩ / (rho * rho).
Proof.
  destruct away as [NV [NW NR]]. pose proof liang_eq15 as A. pose proof liang_eq22 as B.
  assert (P : 0 < INR T) by (now apply lt_0_INR). pose proof (cauchy_schwarz n V (W T)) as C.
  assert (INR T * rho * (INR T * rho) <= ⟨V, W T⟩ * ⟨V, W T⟩) by (apply Rmult_le_compat; nra).
  assert (⟨V, V⟩ * ⟨W T, W T⟩ <= ⟨V, V⟩ * (INR T * (Rmax * Rmax))).
  { apply Rmult_le_compat_l; [apply dot_pos | assumption]. }
  apply Rmult_le_reg_r with (rho * rho); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
  apply Rmult_le_reg_l with (INR T); nra.
Qed.
End Run.

(* Two patterns (1, 0, -1) and (1, 2, 2) from zero, and W* = (13, 6, -4), the best there is. Two corrections. *)
Definition p1 : vec := fun i => match i with 0%nat => 1 | 1%nat => 0 | _ => -1 end.
Definition p2 : vec := fun i => match i with 0%nat => 1 | 1%nat => 2 | _ => 2 end.
Definition best : vec := fun i => match i with 0%nat => 13 | 1%nat => 6 | _ => -4 end.
Definition walk (t : nat) : vec := match t with 0%nat => zero | 1%nat => add zero p1 | _ => add (add zero p1) p2 end.
Definition picks (t : nat) : vec := match t with 0%nat => p1 | _ => p2 end.

Lemma walk_runs : corrections 3 [p1; p2] walk picks 2.
Proof.
  split; intros [|[|t]] L; try lia; simpl; try (now left); try (right; now left); try reflexivity.
  all: unfold walk, picks, add, zero, p1, p2; simpl; lra.
Qed.
Lemma best_separates y : In y [p1; p2] -> 17 <= dot 3 best y.
Proof. intros [<-|[<-|[]]]; unfold best, p1, p2; simpl; lra. Qed.

(* (7) as printed has W* in the mixed term. *)
Definition printed_eq7 : Prop := forall n l V rho W x T, 0 < rho -> (forall y, In y l -> rho <= dot n V y) ->
  corrections n l W x T -> W 0%nat = zero -> forall t, (t < T)%nat ->
  dot n (W (S t)) (W (S t)) = dot n (W t) (W t) + 2 * dot n V (x t) + dot n (x t) (x t).
Theorem liang_eq7_refuted : ~ printed_eq7.
Proof.
  intros H. specialize (H 3%nat [p1; p2] best 17 walk picks 2%nat ltac:(lra) best_separates walk_runs eq_refl 0%nat ltac:(lia)).
  unfold walk, picks, add, zero, best, p1 in H. simpl in H. lra.
Qed.

(* (17), the same for the last correction, the second of the two *)
Definition printed_eq17 : Prop := forall n l V rho W x t, 0 < rho -> (forall y, In y l -> rho <= dot n V y) ->
  corrections n l W x (S t) -> W 0%nat = zero ->
  dot n (W (S t)) (W (S t)) = dot n (W t) (W t) + 2 * dot n V (x t) + dot n (x t) (x t).
Theorem liang_eq17_refuted : ~ printed_eq17.
Proof.
  intros H. specialize (H 3%nat [p1; p2] best 17 walk picks 1%nat ltac:(lra) best_separates walk_runs eq_refl).
  unfold walk, picks, add, zero, best, p1, p2 in H. simpl in H. lra.
Qed.

(* Claim 1: each correction aligns W_t more closely with W*. The first has no angle before it, so t >= 1 is meant. *)
Definition printed_claim1 : Prop := forall n l V rho W x T, 0 < rho -> (forall y, In y l -> rho <= dot n V y) ->
  corrections n l W x T -> W 0%nat = zero -> forall t, (0 < t < T)%nat ->
  dot n V (W (S t)) / (norm n V * norm n (W (S t))) > dot n V (W t) / (norm n V * norm n (W t)).
Theorem liang_claim1_refuted : ~ printed_claim1.
Proof.
  intros H. specialize (H 3%nat [p1; p2] best 17 walk picks 2%nat ltac:(lra) best_separates walk_runs eq_refl 1%nat ltac:(lia)).
  assert (E1 : dot 3 best (walk 1) = 17) by (unfold walk, add, zero, best, p1; simpl; lra).
  assert (E2 : dot 3 best (walk 2) = 34) by (unfold walk, add, zero, best, p1, p2; simpl; lra).
  assert (E3 : dot 3 (walk 1) (walk 1) = 2) by (unfold walk, add, zero, p1; simpl; lra).
  assert (E4 : dot 3 (walk 2) (walk 2) = 9) by (unfold walk, add, zero, p1, p2; simpl; lra).
  assert (E5 : dot 3 best best = 221) by (unfold best; simpl; lra).
  unfold norm in H. rewrite E1, E2, E3, E4, E5 in H.
  replace 9 with (3 * 3) in H by ring. rewrite (sqrt_square 3) in H by lra.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (0 < sqrt 221) by (apply sqrt_lt_R0; lra).
  assert (sqrt 2 < 3 / 2) by nra.
  assert (K : 17 / (sqrt 221 * sqrt 2) * (sqrt 221 * sqrt 2 * 3) < 34 / (sqrt 221 * 3) * (sqrt 221 * sqrt 2 * 3)).
  { apply Rmult_lt_compat_r; [nra | lra]. }
  replace (17 / (sqrt 221 * sqrt 2) * (sqrt 221 * sqrt 2 * 3)) with 51 in K by (field; lra).
  replace (34 / (sqrt 221 * 3) * (sqrt 221 * sqrt 2 * 3)) with (34 * sqrt 2) in K by (field; lra). nra.
Qed.
