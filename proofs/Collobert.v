(* Collobert and Bengio: Algorithm 1, the margin perceptron from zero; Theorem 2 as corrected, Theorem 3.

   An example (x, y) with |x| <= R is the pattern y (x, 1) in n + 1 coordinates, the last that of the bias b.
   A pattern is added, times the rate, while its score y f(x) is at most 1. *)
Require Import Reals List Lra Lia Psatz.
From Margin Require Import Inner.
Import ListNotations.
Open Scope R_scope.

Definition label (y : R) : Prop := y = 1 \/ y = -1.
Definition pattern (n : nat) (y : R) (x : vec) : vec := fun i => if Nat.eqb i n then y else y * x i.

Lemma dot_below n u v v' : (forall i, (i < n)%nat -> v i = v' i) -> dot n u v = dot n u v'.
Proof.
  induction n as [|k IH]; intros H; simpl; [reflexivity|]. rewrite (IH (fun i Hi => H i ltac:(lia))), (H k ltac:(lia)). reflexivity.
Qed.

(* y f(x) with f(x) = w . x + b *)
Lemma score n u y x : dot (S n) u (pattern n y x) = y * (dot n u x + u n).
Proof.
  simpl. unfold pattern at 2. rewrite Nat.eqb_refl.
  rewrite (dot_below n u (pattern n y x) (scale y x)); [rewrite dotZr; ring|].
  intros i Hi. unfold pattern, scale. replace (Nat.eqb i n) with false; [reflexivity|]. symmetry. apply Nat.eqb_neq. lia.
Qed.
Lemma pattern_square n y x : label y -> dot (S n) (pattern n y x) (pattern n y x) = dot n x x + 1.
Proof.
  intros L. rewrite score, dotC, (dot_below n x (pattern n y x) (scale y x)).
  - rewrite dotZr. unfold pattern. rewrite Nat.eqb_refl. destruct L as [->| ->]; ring.
  - intros i Hi. unfold pattern, scale. replace (Nat.eqb i n) with false; [reflexivity|]. symmetry. apply Nat.eqb_neq. lia.
Qed.

(* t updates of Algorithm 1 from zero, whatever the order; v n is the bias. *)
Record algorithm1 (n : nat) (data : list (vec * R)) (rate : R) (v : nat -> vec) (at_t : nat -> vec * R) (t : nat) : Prop := {
  a1_start : v 0%nat = zero;
  a1_member : forall s, (s < t)%nat -> In (at_t s) data;
  a1_violates : forall s, (s < t)%nat -> snd (at_t s) * (dot n (v s) (fst (at_t s)) + v s n) <= 1;
  a1_step : forall s, (s < t)%nat -> v (S s) = add (v s) (scale rate (pattern n (snd (at_t s)) (fst (at_t s)))) }.

Section Algorithm1.
Variables (n : nat) (data : list (vec * R)) (rate radius : R) (v : nat -> vec) (at_t : nat -> vec * R) (t : nat).
Hypothesis labels : forall e, In e data -> label (snd e).
Hypothesis small : forall e, In e data -> norm n (fst e) <= radius.
Hypothesis rate_pos : 0 < rate.
Hypothesis run : algorithm1 n data rate v at_t t.

Let z s := pattern n (snd (at_t s)) (fst (at_t s)).
Let kappa := 2 + rate * (1 + radius * radius).

Lemma size s : (s < t)%nat -> dot (S n) (z s) (z s) <= 1 + radius * radius.
Proof.
  intros L. pose proof (a1_member _ _ _ _ _ _ run s L) as I. unfold z. rewrite (pattern_square n _ _ (labels _ I)).
  pose proof (small _ I). pose proof (norm_pos n (fst (at_t s))). rewrite <- norm_square. nra.
Qed.
Lemma length_step s : (s < t)%nat -> dot (S n) (v (S s)) (v (S s)) <= dot (S n) (v s) (v s) + rate * kappa.
Proof.
  intros L. rewrite (a1_step _ _ _ _ _ _ run s L). fold (z s). rewrite dotD, !dotDr, !dotZ, !dotZr, (dotC _ (z s) (v s)).
  pose proof (size s L) as Sz. pose proof (a1_violates _ _ _ _ _ _ run s L) as Vi. rewrite <- score in Vi. fold (z s) in Vi.
  assert (rate * (rate * dot (S n) (z s) (z s)) <= rate * (rate * (1 + radius * radius))) by (repeat apply Rmult_le_compat_l; lra).
  assert (rate * dot (S n) (v s) (z s) <= rate * 1) by (apply Rmult_le_compat_l; lra). unfold kappa. lra.
Qed.
Lemma length_all s : (s <= t)%nat -> dot (S n) (v s) (v s) <= INR s * (rate * kappa).
Proof.
  induction s as [|s IH]; intros L; [rewrite (a1_start _ _ _ _ _ _ run), dot0; simpl; lra|].
  rewrite S_INR. pose proof (length_step s L). pose proof (IH ltac:(lia)). lra.
Qed.
(* the first update is made at score 0, not at 1 *)
Lemma length_after : (0 < t)%nat -> dot (S n) (v t) (v t) <= INR t * (rate * kappa) - 2 * rate.
Proof.
  assert (H : forall s, (0 < s <= t)%nat -> dot (S n) (v s) (v s) <= INR s * (rate * kappa) - 2 * rate); [|intros; apply H; lia].
  induction s as [|[|s] IH]; intros [P L]; [lia| |].
  - rewrite (a1_step _ _ _ _ _ _ run 0 L), (a1_start _ _ _ _ _ _ run). fold (z 0%nat).
    rewrite dotD, !dotDr, !dotZ, !dotZr, !dot0, (dotC _ (z 0%nat) zero), dot0. pose proof (size 0 L) as Sz.
    assert (rate * (rate * dot (S n) (z 0%nat) (z 0%nat)) <= rate * (rate * (1 + radius * radius))) by (repeat apply Rmult_le_compat_l; lra).
    change (INR 1) with 1. unfold kappa. lra.
  - rewrite S_INR. pose proof (length_step (S s) L). pose proof (IH ltac:(lia)). lra.
Qed.

(* Theorem 3: the margin 2 / |w| after t updates; |w| counts the first n coordinates. *)
Lemma weights_short u : dot n u u <= dot (S n) u u.
Proof. simpl. nra. Qed.
Theorem collobert_thm3 : 0 <= radius -> 0 < norm n (v t) ->
  2 / norm n (v t) >= (2 / rate) / sqrt (INR t * (2 / rate + (radius + 1) * (radius + 1))).
Proof.
  intros PR PW. pose proof (length_all t ltac:(lia)) as A. pose proof (weights_short (v t)) as B. pose proof (pos_INR t) as PT.
  assert (P2 : 0 < 2 / rate) by (apply Rdiv_lt_0_compat; lra).
  set (q := INR t * (2 / rate + (radius + 1) * (radius + 1))).
  assert (Q : dot n (v t) (v t) <= rate * rate * q).
  { apply Rle_trans with (INR t * (rate * kappa)); [lra|].
    replace (rate * rate * q) with (INR t * (rate * (2 + rate * ((radius + 1) * (radius + 1))))) by (unfold q; field; lra).
    apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_l; [lra|]. unfold kappa.
    apply Rplus_le_compat_l, Rmult_le_compat_l; nra. }
  assert (N : norm n (v t) <= rate * sqrt q).
  { unfold norm. rewrite <- (sqrt_square rate) by lra. rewrite <- sqrt_mult_alt by nra. now apply sqrt_le_1_alt. }
  assert (Ps : 0 < sqrt q) by (destruct (Rle_dec (sqrt q) 0); [exfalso; pose proof (sqrt_pos q); nra | lra]).
  apply Rle_ge. replace (2 / rate / sqrt q) with (2 * / (rate * sqrt q)) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; assumption.
Qed.

(* Theorem 2 as corrected. u, with the bias a = u n, has all y (u . x + a) >= 1. *)
Section Separated.
Variable u : vec.
Hypothesis separates : forall e, In e data -> 1 <= snd e * (dot n u (fst e) + u n).

Lemma along s : (s <= t)%nat -> rate * INR s <= dot (S n) u (v s).
Proof.
  induction s as [|s IH]; intros L; [rewrite (a1_start _ _ _ _ _ _ run), dotC, dot0; simpl; lra|].
  rewrite S_INR, (a1_step _ _ _ _ _ _ run s L), dotDr, dotZr, score. pose proof (IH ltac:(lia)).
  pose proof (separates _ (a1_member _ _ _ _ _ _ run s L)). nra.
Qed.

(* the ball: |v|^2 <= kappa u . v - 2 rate *)
Lemma ball : (0 < t)%nat -> dot (S n) (v t) (v t) <= kappa * dot (S n) u (v t) - 2 * rate.
Proof.
  intros P. pose proof (length_after P). pose proof (along t ltac:(lia)).
  assert (0 < kappa) by (unfold kappa; nra). assert (kappa * (rate * INR t) <= kappa * dot (S n) u (v t)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* so the number of updates is bounded *)
Theorem collobert_thm2_finite : INR t <= kappa / rate * dot (S n) u u.
Proof.
  pose proof (length_all t ltac:(lia)) as A. pose proof (along t ltac:(lia)) as B. pose proof (cauchy_schwarz (S n) u (v t)) as C.
  assert (Pk : 0 < kappa) by (unfold kappa; nra). pose proof (dot_pos (S n) u) as Pu. pose proof (pos_INR t) as Pt.
  destruct (Req_dec (INR t) 0) as [->|NZ].
  { apply Rmult_le_pos; [left; now apply Rdiv_lt_0_compat | assumption]. }
  assert (Q : rate * INR t * (rate * INR t) <= dot (S n) u (v t) * dot (S n) u (v t)) by (apply Rmult_le_compat; nra).
  assert (Z : dot (S n) u u * dot (S n) (v t) (v t) <= dot (S n) u u * (INR t * (rate * kappa))) by (apply Rmult_le_compat_l; lra).
  apply Rmult_le_reg_l with rate; [assumption|]. replace (rate * (kappa / rate * dot (S n) u u)) with (kappa * dot (S n) u u) by (field; lra).
  apply Rmult_le_reg_l with (rate * INR t); [nra|]. nra.
Qed.

Theorem collobert_thm2_length : (0 < t)%nat ->
  norm n (v t) <= kappa / 2 * norm n u
                  + sqrt (kappa * kappa / 4 * (norm n u * norm n u + u n * u n) - 2 * rate).
Proof.
  intros P. pose proof (ball P) as B. simpl in B. pose proof (norm_pos n u) as Pu. pose proof (norm_pos n (v t)) as Pv.
  pose proof (dot_norm n u (v t)) as C. rewrite <- norm_square in B.
  set (W := norm n (v t)) in *. set (U := norm n u) in *. assert (Pk : 0 < kappa) by (unfold kappa; nra).
  set (A := kappa * kappa / 4 * (U * U + u n * u n) - 2 * rate).
  assert (K : kappa * dot n u (v t) <= kappa * (U * W)) by (apply Rmult_le_compat_l; lra).
  assert (E : (W - kappa / 2 * U) * (W - kappa / 2 * U) <= A).
  { pose proof (Rle_0_sqr (v t n - kappa / 2 * u n)) as S. unfold Rsqr in S. unfold A. nra. }
  destruct (Rle_dec W (kappa / 2 * U)) as [|L]; [pose proof (sqrt_pos A); lra|].
  assert (W - kappa / 2 * U <= sqrt A); [|lra].
  rewrite <- (sqrt_square (W - kappa / 2 * U)) by lra. now apply sqrt_le_1_alt.
Qed.

(* With both classes in the data |a| < R |u|, and the margin 2/|w| is at least this share of 2/|u|. *)
Lemma bias : (exists e, In e data /\ snd e = 1) -> (exists e, In e data /\ snd e = -1) -> 0 <= radius ->
  u n * u n <= radius * radius * (norm n u * norm n u).
Proof.
  intros [e [I E]] [f [J F]] PR. pose proof (separates _ I) as A. pose proof (separates _ J) as B. rewrite E in A. rewrite F in B.
  pose proof (dot_norm n (scale (-1) u) (fst e)) as C1. pose proof (dot_norm n u (fst e)) as C2.
  pose proof (dot_norm n (scale (-1) u) (fst f)) as C3. rewrite dotZ in C1, C3.
  assert (M : norm n (scale (-1) u) = norm n u) by (unfold norm; rewrite dotZ, dotZr; f_equal; ring). rewrite M in *.
  pose proof (small _ I). pose proof (small _ J). pose proof (norm_pos n u).
  assert (norm n u * norm n (fst e) <= norm n u * radius) by (apply Rmult_le_compat_l; assumption).
  assert (norm n u * norm n (fst f) <= norm n u * radius) by (apply Rmult_le_compat_l; assumption).
  assert (- (radius * norm n u) <= u n <= radius * norm n u) by lra.
  replace (radius * radius * (norm n u * norm n u)) with ((radius * norm n u) * (radius * norm n u)) by ring. nra.
Qed.

Theorem collobert_thm2 : (0 < t)%nat -> 0 <= radius ->
  (exists e, In e data /\ snd e = 1) -> (exists e, In e data /\ snd e = -1) -> 0 < norm n (v t) -> 0 < norm n u ->
  2 / norm n (v t) >= 2 / norm n u * (1 / sqrt (1 + radius * radius)) * (1 / (2 + (1 + radius * radius) * rate)).
Proof.
  intros P PR One Minus PW PU. pose proof (ball P) as B. pose proof (bias One Minus PR) as Ab.
  assert (Pk : 0 < kappa) by (unfold kappa; nra). set (r := sqrt (1 + radius * radius)).
  assert (Pr : 0 < r) by (apply sqrt_lt_R0; nra). assert (rr : r * r = 1 + radius * radius) by (apply sqrt_sqrt; nra).
  (* |w| <= |v| <= kappa |(u, a)| <= kappa r |u| *)
  assert (V : norm (S n) (v t) <= kappa * norm (S n) u).
  { pose proof (dot_norm (S n) u (v t)) as C. pose proof (norm_pos (S n) (v t)) as Pv. pose proof (norm_pos (S n) u) as Pu.
    rewrite <- norm_square in B. destruct (Rle_dec (norm (S n) (v t)) (kappa * norm (S n) u)) as [|L]; [assumption|exfalso].
    assert (kappa * dot (S n) u (v t) <= kappa * (norm (S n) u * norm (S n) (v t))) by (apply Rmult_le_compat_l; lra). nra. }
  assert (U : norm (S n) u <= norm n u * r).
  { pose proof (norm_pos n u). apply Rsqr_incr_0; unfold Rsqr; [|apply norm_pos | nra]. rewrite norm_square.
    replace (norm n u * r * (norm n u * r)) with (norm n u * norm n u * (r * r)) by ring. rewrite rr.
    simpl. rewrite <- (norm_square n u). lra. }
  assert (Wv : norm n (v t) <= norm (S n) (v t)) by (apply sqrt_le_1_alt, weights_short).
  assert (L : norm n (v t) <= kappa * (norm n u * r)) by (apply Rle_trans with (kappa * norm (S n) u); [lra | apply Rmult_le_compat_l; lra]).
  apply Rle_ge. replace (2 / norm n u * (1 / r) * (1 / (2 + (1 + radius * radius) * rate))) with (2 * / (kappa * (norm n u * r))).
  - apply Rmult_le_compat_l; [lra|]. now apply Rinv_le_contravar.
  - unfold kappa. field. repeat split; try lra. nra.
Qed.
End Separated.
End Algorithm1.

(* --- Theorem 2 as printed has R^2 where the bias makes it 1 + R^2. Two points (13/12, 5/12) and (-13/12, 5/12), one of
   each class, with rate 60: two updates lead to w = (130, 0), b = 0, and the best plane is (12/13) x_1 = 0. --- *)
Definition right : vec := fun i => match i with 0%nat => 13 / 12 | 1%nat => 5 / 12 | _ => 0 end.
Definition left : vec := fun i => match i with 0%nat => - 13 / 12 | 1%nat => 5 / 12 | _ => 0 end.
Definition two_points : list (vec * R) := [(right, 1); (left, -1)].
Definition best_plane : vec := fun i => match i with 0%nat => 12 / 13 | _ => 0 end.
Definition presented (s : nat) : vec * R := match s with 0%nat => (right, 1) | _ => (left, -1) end.
Fixpoint weights (s : nat) : vec :=
  match s with
  | O => zero
  | S k => add (weights k) (scale 60 (pattern 2 (snd (presented k)) (fst (presented k))))
  end.

Definition printed_thm2 : Prop := forall n data rate radius v at_t t u,
  (forall e, In e data -> label (snd e)) -> (forall e, In e data -> norm n (fst e) <= radius) -> 0 < rate ->
  (exists e, In e data /\ snd e = 1) -> (exists e, In e data /\ snd e = -1) ->
  algorithm1 n data rate v at_t t -> (forall e, In e data -> 1 < snd e * (dot n (v t) (fst e) + v t n)) ->
  (forall e, In e data -> 1 <= snd e * (dot n u (fst e) + u n)) -> 0 < norm n u ->
  2 / norm n (v t) >= 2 / norm n u * (1 / sqrt (1 + radius * radius)) * (1 / (2 + radius * radius * rate)).

Lemma presented_run : algorithm1 2 two_points 60 weights presented 2.
Proof.
  split.
  - reflexivity.
  - intros [|[|s]] L; [now left | right; now left | lia].
  - intros [|[|s]] L; try lia; unfold presented, weights, pattern, add, scale, zero, right, left; simpl; lra.
  - intros s _. reflexivity.
Qed.

Theorem collobert_thm2_refuted : ~ printed_thm2.
Proof.
  intros H. set (r := sqrt (97 / 72)). assert (rr : r * r = 97 / 72) by (apply sqrt_sqrt; lra).
  assert (E1 : dot 2 (weights 2) (weights 2) = 130 * 130).
  { unfold weights, presented, pattern, add, scale, zero, right, left; simpl. field. }
  assert (E2 : dot 2 best_plane best_plane = 12 / 13 * (12 / 13)) by (unfold best_plane; simpl; field).
  assert (N1 : norm 2 (weights 2) = 130) by (unfold norm; rewrite E1; apply sqrt_square; lra).
  assert (N2 : norm 2 best_plane = 12 / 13) by (unfold norm; rewrite E2; apply sqrt_square; lra).
  specialize (H 2%nat two_points 60 r weights presented 2%nat best_plane).
  rewrite N1, N2, rr in H.
  assert (G : 2 / 130 >= 2 / (12 / 13) * (1 / sqrt (1 + 97 / 72)) * (1 / (2 + 97 / 72 * 60))).
  { apply H; try lra.
    - intros e [<-|[<-|[]]]; [now left | now right].
    - intros e [<-|[<-|[]]]; right; unfold norm, r; f_equal; unfold right, left; simpl; field.
    - exists (right, 1). split; [now left | reflexivity].
    - exists (left, -1). split; [right; now left | reflexivity].
    - exact presented_run.
    - intros e [<-|[<-|[]]]; unfold weights, presented, pattern, add, scale, zero, right, left; simpl; lra.
    - intros e [<-|[<-|[]]]; unfold best_plane, right, left; simpl; lra. }
  (* sqrt (169/72) < 1.5321 *)
  set (q := sqrt (1 + 97 / 72)) in *. assert (qq : q * q = 1 + 97 / 72) by (apply sqrt_sqrt; lra).
  assert (Pq : 0 < q) by (apply sqrt_lt_R0; lra). assert (Q : q < 15321 / 10000) by nra.
  assert (L : 2 / (12 / 13) * (1 / q) * (1 / (2 + 97 / 72 * 60)) * (130 * q) <= 2 / 130 * (130 * q)).
  { apply Rmult_le_compat_r; [nra | lra]. }
  replace (2 / (12 / 13) * (1 / q) * (1 / (2 + 97 / 72 * 60)) * (130 * q)) with (2 / (12 / 13) * (1 / (2 + 97 / 72 * 60)) * 130) in L by (field; lra).
  lra.
Qed.
