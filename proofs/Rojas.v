(* Rojas, chapter 4: Proposition 8 and its proof, from any start; and one inequality of the proof that is false. *)
Require Import Reals List Lra Lia Psatz.
From Margin Require Import Inner Lecture.
Import ListNotations.
Open Scope R_scope.

Section AnyStart.
Variables (n : nat) (l : list vec) (u : vec) (delta : R) (w x : nat -> vec) (T : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis unit_u : ⟨u, u⟩ = 1.                          (* w*, normalised *)
Hypothesis delta_pos : 0 < delta.                        (* absolutely separable *)
Hypothesis margin : forall y, In y l -> delta <= ⟨u, y⟩.
Hypothesis run : corrections n l w x T.

Theorem rojas_numerator t : (t < T)%nat -> ⟨u, w (S t)⟩ = ⟨u, w t⟩ + ⟨u, x t⟩ /\ ⟨u, w (S t)⟩ >= ⟨u, w t⟩ + delta.
Proof.
  intros L. rewrite (step _ _ _ _ _ run t L), dotDr. pose proof (margin _ (member _ _ _ _ _ run t L)). split; lra.
Qed.

Theorem rojas_eq4_9 t : (t < T)%nat -> ⟨u, w (S t)⟩ >= ⟨u, w 0%nat⟩ + (INR t + 1) * delta.
Proof.
  induction t as [|t IH]; intros L; [destruct (rojas_numerator 0 L); simpl; lra|].
  rewrite S_INR. destruct (rojas_numerator (S t) L). pose proof (IH ltac:(lia)). lra.
Qed.

(* The vectors as they are run, of length at most R; Rojas takes R = 1. *)
Variable R2 : R.
Hypothesis R2_pos : 0 <= R2.
Hypothesis longest : forall y, In y l -> ⟨y, y⟩ <= R2.

(* For vectors of any length; R2 is the largest square, or more. *)
Theorem norm_step t : (t < T)%nat ->
  ⟨w (S t), w (S t)⟩ = ⟨w t, w t⟩ + 2 * ⟨w t, x t⟩ + ⟨x t, x t⟩ /\ ⟨w (S t), w (S t)⟩ <= ⟨w t, w t⟩ + R2.
Proof.
  intros L. rewrite (step _ _ _ _ _ run t L), dotD, !dotDr, (dotC n (x t) (w t)).
  pose proof (wrong _ _ _ _ _ run t L). pose proof (longest _ (member _ _ _ _ _ run t L)). split; lra.
Qed.

Theorem norm_all t : (t <= T)%nat -> ⟨w t, w t⟩ <= ⟨w 0%nat, w 0%nat⟩ + INR t * R2.
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|].
  rewrite S_INR. destruct (norm_step t L). pose proof (IH ltac:(lia)). lra.
Qed.

Lemma along_all t : (t <= T)%nat -> ⟨u, w t⟩ >= ⟨u, w 0%nat⟩ + INR t * delta.
Proof.
  destruct t as [|t]; intros L; [simpl; lra|]. rewrite S_INR. now apply rojas_eq4_9.
Qed.

(* The cosine, as corrected: where the right side is not negative. *)
Theorem rojas_cosine t : (t < T)%nat -> 0 < ⟨w (S t), w (S t)⟩ -> 0 <= ⟨u, w 0%nat⟩ + (INR t + 1) * delta ->
  ⟨u, w (S t)⟩ / norm n (w (S t)) >= (⟨u, w 0%nat⟩ + (INR t + 1) * delta) / sqrt (⟨w 0%nat, w 0%nat⟩ + (INR t + 1) * R2).
Proof.
  intros L P N. pose proof (rojas_eq4_9 t L) as A. pose proof (norm_all (S t) L) as B. rewrite S_INR in B.
  assert (PB : 0 < sqrt (⟨w 0%nat, w 0%nat⟩ + (INR t + 1) * R2)) by (apply sqrt_lt_R0; lra).
  assert (PN : 0 < norm n (w (S t))) by (apply sqrt_lt_R0; lra).
  assert (Le : norm n (w (S t)) <= sqrt (⟨w 0%nat, w 0%nat⟩ + (INR t + 1) * R2)) by (apply sqrt_le_1_alt; lra).
  apply Rle_ge. unfold Rdiv. apply Rmult_le_compat; [assumption | left; now apply Rinv_0_lt_compat | lra |].
  now apply Rinv_le_contravar.
Qed.

(* Proposition 8 with its number: K(w0) = (R^2 - 2 a d + sqrt (R^4 - 4 a d R^2 + 4 d^2 b^2)) / (2 d^2), d = delta,
   a = w* . w0, b = |w0|. Every order, every start; T is any number of corrections made so far. *)
Theorem rojas_prop8 : let a := ⟨u, w 0%nat⟩ in let b2 := ⟨w 0%nat, w 0%nat⟩ in
  INR T <= (R2 - 2 * a * delta + sqrt (R2 * R2 - 4 * a * delta * R2 + 4 * (delta * delta) * b2)) / (2 * (delta * delta)).
Proof.
  intros a b2. pose proof (along_all T ltac:(lia)) as A. pose proof (norm_all T ltac:(lia)) as B. fold a b2 in A, B.
  set (Q := R2 * R2 - 4 * a * delta * R2 + 4 * (delta * delta) * b2). pose proof (pos_INR T) as PT.
  assert (dd : 0 < delta * delta) by nra.
  apply Rmult_le_reg_r with (2 * (delta * delta)); [lra|].
  replace ((R2 - 2 * a * delta + sqrt Q) / (2 * (delta * delta)) * (2 * (delta * delta)))
    with (R2 - 2 * a * delta + sqrt Q) by (field; lra).
  pose proof (sqrt_pos Q) as PQ.
  assert (C : ⟨u, w T⟩ * ⟨u, w T⟩ <= ⟨w T, w T⟩).
  { pose proof (cauchy_schwarz n u (w T)) as C. rewrite unit_u in C. lra. }
  destruct (Rle_dec 0 (a + INR T * delta)) as [pos|neg].
  - assert (E : (a + INR T * delta) * (a + INR T * delta) <= b2 + INR T * R2).
    { apply Rle_trans with (⟨u, w T⟩ * ⟨u, w T⟩); [apply Rmult_le_compat; lra | lra]. }
    (* (2 d^2 T + 2 a d - R^2)^2 <= Q *)
    assert (E4 : (2 * (delta * delta) * INR T + 2 * a * delta - R2) * (2 * (delta * delta) * INR T + 2 * a * delta - R2) <= Q).
    { replace ((2 * (delta * delta) * INR T + 2 * a * delta - R2) * (2 * (delta * delta) * INR T + 2 * a * delta - R2))
        with (4 * (delta * delta) * ((a + INR T * delta) * (a + INR T * delta) - INR T * R2) - 4 * a * delta * R2 + R2 * R2)
        by ring.
      assert (4 * (delta * delta) * ((a + INR T * delta) * (a + INR T * delta) - INR T * R2) <= 4 * (delta * delta) * b2)
        by (apply Rmult_le_compat_l; lra).
      unfold Q. lra. }
    assert (2 * (delta * delta) * INR T + 2 * a * delta - R2 <= sqrt Q); [|lra].
    set (e := 2 * (delta * delta) * INR T + 2 * a * delta - R2) in *.
    destruct (Rle_dec e 0) as [|pe]; [lra|]. rewrite <- (sqrt_square e) by lra. now apply sqrt_le_1_alt.
  - assert (INR T * delta * (2 * delta) <= - a * (2 * delta)) by (apply Rmult_le_compat_r; lra).
    lra.
Qed.
End AnyStart.

(* For normalised vectors, as printed. *)
Theorem rojas_norm_step n l u delta w x T t : corrections n l w x T -> dot n u u = 1 -> 0 < delta ->
  (forall y, In y l -> delta <= dot n u y) -> (forall y, In y l -> dot n y y = 1) -> (t < T)%nat ->
  dot n (w (S t)) (w (S t)) = dot n (w t) (w t) + 2 * dot n (w t) (x t) + dot n (x t) (x t) /\
  dot n (w (S t)) (w (S t)) <= dot n (w t) (w t) + 1.
Proof. intros run _ _ _ one L. apply (norm_step n l w x T run 1); [intros y Hy; rewrite (one y Hy); lra | assumption]. Qed.

Theorem rojas_eq4_10 n l w x T t : corrections n l w x T -> (forall y, In y l -> dot n y y = 1) -> (t < T)%nat ->
  dot n (w (S t)) (w (S t)) <= dot n (w 0%nat) (w 0%nat) + (INR t + 1).
Proof.
  intros run one L. pose proof (norm_all n l w x T run 1) as N. rewrite <- S_INR.
  assert (dot n (w (S t)) (w (S t)) <= dot n (w 0%nat) (w 0%nat) + INR (S t) * 1); [|lra].
  apply N; [intros y Hy; rewrite (one y Hy); lra | lia].
Qed.

(* No infinite run: the algorithm changes w a finite number of times. *)
Theorem rojas_prop8_finite n l w0 : separable n l -> exists K, forall w x T,
  w 0%nat = w0 -> corrections n l w x T -> INR T <= K.
Proof.
  intros S. destruct l as [|y k].
  { exists 0. intros w x T _ run. destruct T as [|T]; [simpl; lra|].
    destruct (member _ _ _ _ _ run 0%nat ltac:(lia)). }
  destruct (largest_margin_exists n (y :: k) ltac:(discriminate) S) as [z [Hz [Pz [[u [Hu Hm]] _]]]].
  destruct (hull_bounded n (y :: k)) as [B [PB HB]].
  assert (P : 0 < norm n z) by (apply sqrt_lt_R0; assumption).
  eexists. intros w x T Hw run.
  pose proof (rojas_prop8 n (y :: k) u (norm n z) w x T Hu P Hm run B) as K. cbv zeta in K. rewrite Hw in K. apply K; [assumption|].
  intros p Hp. now apply HB, corner.
Qed.

(* The printed cosine has no condition. One pattern, the number 1; the start -2; one correction leads to -1:
   the cosine is -1, the right side -1 / sqrt 5. *)
Definition printed_cosine : Prop := forall n l u delta w x T,
  dot n u u = 1 -> 0 < delta -> (forall y, In y l -> delta <= dot n u y) -> (forall y, In y l -> dot n y y = 1) ->
  corrections n l w x T -> forall t, (t < T)%nat -> 0 < dot n (w (S t)) (w (S t)) ->
  dot n u (w (S t)) / norm n (w (S t)) >=
  (dot n u (w 0%nat) + (INR t + 1) * delta) / sqrt (dot n (w 0%nat) (w 0%nat) + (INR t + 1)).

Theorem rojas_cosine_refuted : ~ printed_cosine.
Proof.
  intros H. set (one := (fun _ => 1) : vec).
  set (w := (fun t => match t with O => scale (-2) one | _ => add (scale (-2) one) one end) : nat -> vec).
  specialize (H 1%nat [one] one 1 w (fun _ => one) 1%nat). unfold norm in H.
  assert (E1 : dot 1 one (w 1%nat) = -1) by (unfold w, add, scale, one; simpl; lra).
  assert (E2 : dot 1 (w 1%nat) (w 1%nat) = 1) by (unfold w, add, scale, one; simpl; lra).
  assert (E3 : dot 1 one (w 0%nat) = -2) by (unfold w, add, scale, one; simpl; lra).
  assert (E4 : dot 1 (w 0%nat) (w 0%nat) = 4) by (unfold w, add, scale, one; simpl; lra).
  assert (G : dot 1 one (w 1%nat) / sqrt (dot 1 (w 1%nat) (w 1%nat)) >=
    (dot 1 one (w 0%nat) + (INR 0 + 1) * 1) / sqrt (dot 1 (w 0%nat) (w 0%nat) + (INR 0 + 1))).
  { apply H; try lia; unfold w, add, scale, one; simpl; try lra.
    - intros y [<-|[]]. simpl. lra.
    - intros y [<-|[]]. simpl. lra.
    - split; intros [|t] L; try lia; [now left | simpl; lra | reflexivity]. }
  rewrite E1, E2, E3, E4 in G. simpl in G. rewrite sqrt_1 in G.
  assert (S5 : 2 < sqrt (4 + (0 + 1))) by (apply Rsqr_incrst_0; unfold Rsqr; [rewrite sqrt_sqrt; lra | lra | apply sqrt_pos]).
  set (r := sqrt (4 + (0 + 1))) in *. assert ((-2 + (0 + 1) * 1) / r * r <= -1 / 1 * r) by (apply Rmult_le_compat_r; lra).
  replace ((-2 + (0 + 1) * 1) / r * r) with (-1) in H0 by (field; lra). lra.
Qed.
