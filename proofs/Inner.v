(* Vectors of R^n, their inner product, the hull of finitely many of them, and its closest point to zero.

   A vector is the function that gives its coordinates; in R^n the first n count. The hull of a set is the smallest
   set that contains it and the segment between any two of its members. *)
Require Import Reals List Lra Lia Psatz FunctionalExtensionality.
Import ListNotations.
Open Scope R_scope.

Definition vec := nat -> R.
Definition zero : vec := fun _ => 0.
Definition add (u v : vec) : vec := fun i => u i + v i.
Definition scale (a : R) (u : vec) : vec := fun i => a * u i.

Fixpoint dot (n : nat) (u v : vec) : R :=
  match n with
  | O => 0
  | S k => dot k u v + u k * v k
  end.

Definition norm (n : nat) (u : vec) : R := sqrt (dot n u u).

Inductive hull (P : vec -> Prop) : vec -> Prop :=
| corner x : P x -> hull P x
| between a u v : 0 <= a <= 1 -> hull P u -> hull P v -> hull P (add (scale a u) (scale (1 - a) v)).

(* The hull of a list of points, the shortest vector in it, and what it means to separate. *)
Definition hull_of (l : list vec) : vec -> Prop := hull (fun x => In x l).
Definition closest (n : nat) (l : list vec) (z : vec) : Prop :=
  hull_of l z /\ forall h, hull_of l h -> dot n z z <= dot n h h.
Definition separable (n : nat) (l : list vec) : Prop := exists v, forall x, In x l -> 0 < dot n v x.

(* The largest margin: d = max over unit vectors u of min over x of u . x. *)
Definition largest_margin (n : nat) (l : list vec) (d : R) : Prop :=
  (exists u, dot n u u = 1 /\ forall x, In x l -> d <= dot n u x) /\
  (forall u a, dot n u u = 1 -> (forall x, In x l -> a <= dot n u x) -> a <= d).

Section Space.
Variable n : nat.
Notation "⟨ u , v ⟩" := (dot n u v) (at level 0, u at level 99, v at level 99).

Lemma dotC u v : ⟨u, v⟩ = ⟨v, u⟩.
Proof. induction n as [|k IH]; simpl; [reflexivity | rewrite IH; ring]. Qed.
Lemma dotD u v w : ⟨add u v, w⟩ = ⟨u, w⟩ + ⟨v, w⟩.
Proof. induction n as [|k IH]; simpl; [ring | rewrite IH; unfold add; ring]. Qed.
Lemma dotZ a u v : ⟨scale a u, v⟩ = a * ⟨u, v⟩.
Proof. induction n as [|k IH]; simpl; [ring | rewrite IH; unfold scale; ring]. Qed.
Lemma dot0 v : ⟨zero, v⟩ = 0.
Proof. induction n as [|k IH]; simpl; [reflexivity | rewrite IH; unfold zero; ring]. Qed.
Lemma dotDr u v w : ⟨u, add v w⟩ = ⟨u, v⟩ + ⟨u, w⟩.
Proof. now rewrite dotC, dotD, !(dotC u). Qed.
Lemma dotZr a u v : ⟨u, scale a v⟩ = a * ⟨u, v⟩.
Proof. now rewrite dotC, dotZ, dotC. Qed.
Lemma dot_pos u : 0 <= ⟨u, u⟩.
Proof. induction n as [|k IH]; simpl; nra. Qed.

(* |a u + b v|^2, multiplied out *)
Lemma square a b u v :
  ⟨add (scale a u) (scale b v), add (scale a u) (scale b v)⟩ = a * a * ⟨u, u⟩ + 2 * (a * b * ⟨u, v⟩) + b * b * ⟨v, v⟩.
Proof. rewrite dotD, !dotDr, !dotZ, !dotZr, (dotC v u). ring. Qed.

Lemma cauchy_schwarz u v : ⟨u, v⟩ * ⟨u, v⟩ <= ⟨u, u⟩ * ⟨v, v⟩.
Proof.
  assert (key : forall a b, 0 <= a * a * ⟨u, u⟩ + 2 * (a * b * ⟨u, v⟩) + b * b * ⟨v, v⟩)
    by (intros a b; rewrite <- square; apply dot_pos).
  pose proof (dot_pos u) as Pu. pose proof (dot_pos v) as Pv.
  destruct (Req_dec ⟨u, u⟩ 0) as [Z|NZ].
  - destruct (Req_dec ⟨u, v⟩ 0) as [Z'|NZ']; [rewrite Z'; nra|].
    exfalso. pose proof (key (- (⟨v, v⟩ + 1) / (2 * ⟨u, v⟩)) 1) as H. rewrite Z in H.
    replace (- (⟨v, v⟩ + 1) / (2 * ⟨u, v⟩) * 1 * ⟨u, v⟩) with (- (⟨v, v⟩ + 1) / 2) in H by (field; auto). nra.
  - pose proof (key ⟨u, v⟩ (- ⟨u, u⟩)) as H. apply Rmult_le_reg_l with ⟨u, u⟩; nra.
Qed.

Lemma norm_pos u : 0 <= norm n u.
Proof. apply sqrt_pos. Qed.
Lemma norm_square u : norm n u * norm n u = ⟨u, u⟩.
Proof. apply sqrt_sqrt, dot_pos. Qed.
Lemma dot_norm u v : ⟨u, v⟩ <= norm n u * norm n v.
Proof.
  pose proof (cauchy_schwarz u v) as H. rewrite <- !norm_square in H.
  pose proof (norm_pos u). pose proof (norm_pos v).
  destruct (Rle_dec ⟨u, v⟩ (norm n u * norm n v)) as [|L]; [assumption|exfalso].
  assert (0 <= norm n u * norm n v) by (apply Rmult_le_pos; lra).
  assert (norm n u * norm n v * (norm n u * norm n v) < ⟨u, v⟩ * ⟨u, v⟩) by (apply Rmult_le_0_lt_compat; lra). nra.
Qed.

(* Duality: an average is not below the minimum. *)
Lemma average (P : vec -> Prop) v a z : (forall x, P x -> a <= ⟨v, x⟩) -> hull P z -> a <= ⟨v, z⟩.
Proof.
  intros H. induction 1 as [x Hx | b x y Hb _ Hx _ Hy]; [now apply H|].
  rewrite dotDr, !dotZr. nra.
Qed.

Lemma hull_grows (P Q : vec -> Prop) z : (forall x, P x -> Q x) -> hull P z -> hull Q z.
Proof. intros H. induction 1; [now apply corner, H | now apply between]. Qed.

(* The shortest vector z of a hull has ⟨z, x⟩ >= ⟨z, z⟩ on all of it. *)
Lemma closest_low l z h : closest n l z -> hull_of l h -> ⟨z, z⟩ <= ⟨z, h⟩.
Proof.
  intros [Hz Hmin] Hh. destruct (Rle_dec ⟨z, z⟩ ⟨z, h⟩) as [|L]; [assumption|exfalso].
  set (e := ⟨z, z⟩ - ⟨z, h⟩). assert (Pe : 0 < e) by (unfold e; lra). pose proof (dot_pos h). pose proof (dot_pos z).
  set (q := ⟨z, z⟩ - 2 * ⟨z, h⟩ + ⟨h, h⟩).
  assert (Q : 0 < q).
  { assert (0 <= q) by (pose proof (dot_pos (add (scale 1 z) (scale (-1) h))) as S; rewrite square in S; unfold q; lra).
    destruct (Req_dec q 0); [|lra]. pose proof (Hmin h Hh). unfold q, e in *. lra. }
  (* going from z towards h by the share a = min (1, e / q) shortens z *)
  set (a := Rmin 1 (e / q)).
  assert (Aq : 0 < e / q) by (apply Rdiv_lt_0_compat; lra).
  assert (A : 0 < a <= 1) by (split; [apply Rmin_glb_lt; lra | apply Rmin_l]).
  assert (Ae : a * q <= e).
  { apply Rle_trans with (e / q * q); [apply Rmult_le_compat_r; [lra | apply Rmin_r] |].
    right. field. lra. }
  pose proof (Hmin _ (between _ a h z ltac:(lra) Hh Hz)) as M. rewrite square, (dotC h z) in M.
  assert (a * a * q <= a * e) by nra. unfold q, e in *. nra.
Qed.

(* The shortest vector is the largest margin, attained along it. *)
Lemma closest_margin l z : closest n l z -> 0 < ⟨z, z⟩ -> largest_margin n l (norm n z).
Proof.
  intros Hz Pz. assert (P : 0 < norm n z) by (apply sqrt_lt_R0; assumption). split.
  - exists (scale (/ norm n z) z). split.
    + rewrite dotZ, dotZr, <- norm_square. field. lra.
    + intros x Hx. pose proof (closest_low l z x Hz (corner _ _ Hx)) as L. rewrite dotZ.
      apply Rmult_le_reg_l with (norm n z); [assumption|]. rewrite norm_square, <- Rmult_assoc, Rinv_r by lra. lra.
  - intros u a Hu Ha. apply Rle_trans with ⟨u, z⟩; [apply (average _ u a z Ha), Hz|].
    pose proof (dot_norm u z) as C. unfold norm in C at 1. rewrite Hu, sqrt_1 in C. lra.
Qed.

Lemma largest_margin_unique l a b : largest_margin n l a -> largest_margin n l b -> a = b.
Proof.
  intros [[u [Hu Hua]] Ha] [[v [Hv Hvb]] Hb]. apply Rle_antisym; [now apply (Hb u) | now apply (Ha v)].
Qed.

Lemma separable_away l z : separable n l -> hull_of l z -> 0 < ⟨z, z⟩.
Proof.
  intros [v Hv] Hz. assert (Q : 0 < ⟨v, z⟩).
  { induction Hz as [x Hx | a x y A _ Hx _ Hy]; [now apply Hv|]. rewrite dotDr, !dotZr.
    destruct (Req_dec a 0) as [->|]; [lra|]. assert (0 < a * ⟨v, x⟩) by (apply Rmult_lt_0_compat; lra).
    assert (0 <= (1 - a) * ⟨v, y⟩) by (apply Rmult_le_pos; lra). lra. }
  pose proof (cauchy_schwarz v z). pose proof (dot_pos v). pose proof (dot_pos z).
  destruct (Req_dec ⟨z, z⟩ 0) as [Z|]; [exfalso; rewrite Z in *; nra | lra].
Qed.

(* --- The closest point exists: by induction on the number of points. ---
   Every point of the hull of x :: l is toward t h = (1 - t) h + t x with h in the hull of l. For each t the points
   toward t h are the hull of as many points as l has, which has a shortest vector by induction; its squared length
   f t is continuous in t, so that it has a minimum on [0, 1]. *)
Definition toward (x : vec) (t : R) (h : vec) : vec := add (scale (1 - t) h) (scale t x).

Lemma toward_between x t a u v :
  toward x t (add (scale a u) (scale (1 - a) v)) = add (scale a (toward x t u)) (scale (1 - a) (toward x t v)).
Proof. apply functional_extensionality. intros i. unfold toward, add, scale. ring. Qed.

Lemma hull_toward x t l h : hull_of l h -> hull_of (map (toward x t) l) (toward x t h).
Proof.
  induction 1; [now apply corner, in_map|]. rewrite toward_between. now apply between.
Qed.

Lemma hull_toward_inv x t l g : hull_of (map (toward x t) l) g -> exists h, hull_of l h /\ g = toward x t h.
Proof.
  induction 1 as [g Hg | a u v A _ [h [Hh ->]] _ [k [Hk ->]]].
  - apply in_map_iff in Hg. destruct Hg as [h [<- Hh]]. exists h. split; [now apply corner | reflexivity].
  - exists (add (scale a h) (scale (1 - a) k)). split; [now apply between | now rewrite toward_between].
Qed.

Lemma hull_cons x l h t : hull_of l h -> 0 <= t <= 1 -> hull_of (x :: l) (toward x t h).
Proof.
  intros Hh T. unfold toward. replace t with (1 - (1 - t)) at 2 by ring. apply between; [lra | |].
  - apply (hull_grows (fun y => In y l)); [intros; now right | assumption].
  - apply corner. now left.
Qed.

Lemma hull_cons_inv x y l g :
  hull_of (x :: y :: l) g -> exists t h, 0 <= t <= 1 /\ hull_of (y :: l) h /\ g = toward x t h.
Proof.
  assert (Hy : hull_of (y :: l) y) by (apply corner; now left).
  induction 1 as [g [<- | Hg] | a u v A _ [t [h [T [Hh ->]]]] _ [s [k [S [Hk ->]]]]].
  - exists 1, y. split; [lra|]. split; [assumption|].
    apply functional_extensionality. intros i. unfold toward, add, scale. ring.
  - exists 0, g. split; [lra|]. split; [now apply corner|].
    apply functional_extensionality. intros i. unfold toward, add, scale. ring.
  - set (W := a * (1 - t) + (1 - a) * (1 - s)).
    assert (P1 : 0 <= a * (1 - t)) by (apply Rmult_le_pos; lra).
    assert (P2 : 0 <= (1 - a) * (1 - s)) by (apply Rmult_le_pos; lra).
    assert (W1 : W <= 1) by (unfold W; nra).
    destruct (Req_dec W 0) as [Z|NZ].
    + exists 1, h. split; [lra|]. split; [assumption|].
      assert (Z1 : a * (1 - t) = 0) by (unfold W in Z; lra). assert (Z2 : (1 - a) * (1 - s) = 0) by (unfold W in Z; lra).
      apply functional_extensionality. intros i. unfold toward, add, scale.
      replace (a * ((1 - t) * h i + t * x i) + (1 - a) * ((1 - s) * k i + s * x i))
        with (a * (1 - t) * h i + (1 - a) * (1 - s) * k i + (1 - (a * (1 - t) + (1 - a) * (1 - s))) * x i) by ring.
      rewrite Z1, Z2. ring.
    + assert (PW : 0 < W) by (unfold W in *; lra).
      exists (1 - W), (add (scale (a * (1 - t) / W) h) (scale (1 - a * (1 - t) / W) k)).
      split; [lra|]. split.
      * apply between; [|assumption|assumption]. split.
        -- apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat].
        -- apply Rmult_le_reg_r with W; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra.
           unfold W. lra.
      * apply functional_extensionality. intros i. unfold toward, add, scale. field_simplify_eq; [unfold W; ring | lra].
Qed.

Section Minimum.
Variables (x : vec) (l : list vec) (B : R).
Hypothesis inhabited : exists h, hull_of l h.
Hypothesis bounded : forall h, hull_of l h -> ⟨h, h⟩ <= B.
Hypothesis x_bounded : ⟨x, x⟩ <= B.
Hypothesis attained : forall t, exists h, hull_of l h /\
  forall k, hull_of l k -> ⟨toward x t h, toward x t h⟩ <= ⟨toward x t k, toward x t k⟩.

Let q t h := ⟨toward x t h, toward x t h⟩.
Let E t r := exists h, hull_of l h /\ r = - q t h.

Lemma E_bound t : bound (E t).
Proof. exists 0. intros r [h [_ ->]]. unfold q. pose proof (dot_pos (toward x t h)). lra. Qed.
Lemma E_inhabited t : exists r, E t r.
Proof. destruct inhabited as [h H]. exists (- q t h), h. now split. Qed.
Definition f t := - proj1_sig (completeness (E t) (E_bound t) (E_inhabited t)).

Lemma f_low t h : hull_of l h -> f t <= q t h.
Proof.
  intros H. unfold f. destruct (completeness _ _ _) as [m [U L]]; simpl.
  assert (- q t h <= m) by (apply U; exists h; now split). lra.
Qed.
Lemma f_attained t : exists h, hull_of l h /\ f t = q t h.
Proof.
  destruct (attained t) as [h [Hh Hmin]]. exists h. split; [assumption|]. apply Rle_antisym; [now apply f_low|].
  unfold f. destruct (completeness _ _ _) as [m [U L]]; simpl.
  assert (m <= - q t h) by (apply L; intros r [k [Hk ->]]; pose proof (Hmin k Hk); unfold q; lra). lra.
Qed.

Lemma q_step s t h : hull_of l h -> -1 <= s <= 2 -> -1 <= t <= 2 -> q s h <= q t h + 20 * B * Rabs (s - t).
Proof.
  intros H Hs Ht. unfold q, toward. rewrite !square. pose proof (bounded h H) as Bh.
  pose proof (dot_pos h) as Ph. pose proof (dot_pos x) as Px.
  assert (C : - B <= ⟨h, x⟩ <= B).
  { pose proof (dot_pos (add (scale 1 h) (scale 1 x))) as P1. pose proof (dot_pos (add (scale 1 h) (scale (-1) x))) as P2.
    rewrite square in P1, P2. lra. }
  set (a := ⟨h, h⟩) in *. set (b := ⟨h, x⟩) in *. set (c := ⟨x, x⟩) in *.
  assert (Diff : (1 - s) * (1 - s) * a + 2 * ((1 - s) * s * b) + s * s * c -
                 ((1 - t) * (1 - t) * a + 2 * ((1 - t) * t * b) + t * t * c)
                 = (s - t) * (- (2 - s - t) * a + 2 * (1 - s - t) * b + (s + t) * c)) by ring.
  set (F := - (2 - s - t) * a + 2 * (1 - s - t) * b + (s + t) * c) in *.
  assert (F1 : Rabs F <= 20 * B) by (apply Rabs_le; unfold F; split; nra).
  assert ((s - t) * F <= 20 * B * Rabs (s - t)).
  { apply Rle_trans with (Rabs ((s - t) * F)); [apply RRle_abs|]. rewrite Rabs_mult, (Rmult_comm (Rabs (s - t))).
    apply Rmult_le_compat_r; [apply Rabs_pos | assumption]. }
  lra.
Qed.

Lemma f_step s t : -1 <= s <= 2 -> -1 <= t <= 2 -> f s <= f t + 20 * B * Rabs (s - t).
Proof.
  intros Hs Ht. destruct (f_attained t) as [h [Hh ->]]. apply Rle_trans with (q s h); [now apply f_low | now apply q_step].
Qed.

Lemma f_continuous t : 0 <= t <= 1 -> continuity_pt f t.
Proof.
  intros T eps Peps. pose proof (dot_pos x) as Px.
  exists (Rmin 1 (eps / (20 * B + 1))). assert (D : 0 < 20 * B + 1) by lra. split.
  - apply Rmin_glb_lt; [lra | now apply Rdiv_lt_0_compat].
  - intros s [_ Hs]. simpl in *. unfold R_dist in *.
    assert (S1 : Rabs (s - t) < 1) by (eapply Rlt_le_trans; [exact Hs | apply Rmin_l]).
    assert (S2 : Rabs (s - t) < eps / (20 * B + 1)) by (eapply Rlt_le_trans; [exact Hs | apply Rmin_r]).
    assert (S3 : (20 * B + 1) * Rabs (s - t) < eps).
    { apply Rmult_lt_reg_r with (/ (20 * B + 1)); [now apply Rinv_0_lt_compat|].
      replace ((20 * B + 1) * Rabs (s - t) * / (20 * B + 1)) with (Rabs (s - t)) by (field; lra). exact S2. }
    apply Rabs_def2 in S1. pose proof (f_step s t ltac:(lra) ltac:(lra)) as F1.
    pose proof (f_step t s ltac:(lra) ltac:(lra)) as F2. rewrite (Rabs_minus_sym t s) in F2.
    pose proof (Rabs_pos (s - t)). apply Rabs_def1; nra.
Qed.

Lemma minimum : exists t h, 0 <= t <= 1 /\ hull_of l h /\ forall s k, 0 <= s <= 1 -> hull_of l k -> q t h <= q s k.
Proof.
  destruct (continuity_ab_min f 0 1 ltac:(lra) f_continuous) as [t [Ht T]]. destruct (f_attained t) as [h [Hh Fh]].
  exists t, h. split; [assumption|]. split; [assumption|]. intros s k S K. rewrite <- Fh.
  apply Rle_trans with (f s); [now apply Ht | now apply f_low].
Qed.
End Minimum.

Lemma hull_bounded l : exists B, 0 <= B /\ forall h, hull_of l h -> ⟨h, h⟩ <= B.
Proof.
  assert (H : exists B, 0 <= B /\ forall x, In x l -> ⟨x, x⟩ <= B).
  { induction l as [|x m [B [P IH]]]; [exists 0; split; [lra | now intros] |].
    exists (B + ⟨x, x⟩). pose proof (dot_pos x). split; [lra|]. intros y [->|Hy]; [lra | pose proof (IH y Hy); lra]. }
  destruct H as [B [P H]]. exists B. split; [assumption|].
  induction 1 as [x Hx | a u v A _ Hu _ Hv]; [now apply H|]. rewrite square. pose proof (cauchy_schwarz u v) as C.
  pose proof (dot_pos u). pose proof (dot_pos v). assert (⟨u, v⟩ <= B) by nra.
  assert (0 <= a * a * (B - ⟨u, u⟩)) by (apply Rmult_le_pos; nra).
  assert (0 <= a * (1 - a) * (B - ⟨u, v⟩)) by (apply Rmult_le_pos; nra).
  assert (0 <= (1 - a) * (1 - a) * (B - ⟨v, v⟩)) by (apply Rmult_le_pos; nra). lra.
Qed.

Theorem closest_exists l : l <> [] -> exists z, closest n l z.
Proof.
  remember (length l) as m eqn:L. revert l L. induction m as [|m IH]; intros [|x [|y l]] L NE; try discriminate; try contradiction.
  - exists x. split; [apply corner; now left|]. intros h Hh. assert (h = x) as ->; [|lra].
    induction Hh as [z [<-|[]] | a u v A _ -> _ ->]; [reflexivity|].
    apply functional_extensionality. intros i. unfold add, scale. ring.
  - set (k := y :: l) in *. destruct (hull_bounded (x :: k)) as [B [PB HB]].
    assert (Hk : forall h, hull_of k h -> hull_of (x :: k) h).
    { intros h. apply hull_grows. intros; now right. }
    destruct (minimum x k B) as [t [h [T [Hh Hmin]]]].
    + exists y. apply corner. now left.
    + intros h Hh. now apply HB, Hk.
    + apply HB, corner. now left.
    + intros t. destruct (IH (map (toward x t) k)) as [z [Hz Hmin]].
      * rewrite map_length. simpl in *. lia.
      * discriminate.
      * destruct (hull_toward_inv x t k z Hz) as [h [Hh ->]]. exists h. split; [assumption|].
        intros g Hg. now apply Hmin, hull_toward.
    + exists (toward x t h). split; [now apply hull_cons|]. intros g Hg.
      destruct (hull_cons_inv x y l g Hg) as [s [g' [S [Hg' ->]]]]. now apply Hmin.
Qed.

(* So a finite separable set has a largest margin, and it is positive. *)
Theorem largest_margin_exists l : l <> [] -> separable n l ->
  exists z, closest n l z /\ 0 < ⟨z, z⟩ /\ largest_margin n l (norm n z).
Proof.
  intros NE S. destruct (closest_exists l NE) as [z Hz]. exists z. split; [assumption|].
  assert (P : 0 < ⟨z, z⟩) by (apply (separable_away l); [assumption | apply Hz]).
  split; [assumption | now apply closest_margin].
Qed.

End Space.
