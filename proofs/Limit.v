(* Ours: what follows from Gap.v for the whole algorithm. It ends from every start, and its margin tends to the largest. *)
Require Import Reals ZArith List Lra Lia Psatz.
From Margin Require Import Inner Falkowski Gap.
Import ListNotations.
Open Scope R_scope.

(* --- Theorem 2 from a start on the wrong side: begin again where Y is first not negative --- *)
Lemma later n l X c w pick M s : krauth_mezard n l X c w pick M -> (s <= M)%nat ->
  krauth_mezard n l X c (fun t => w (s + t)%nat) (fun t => pick (s + t)%nat) (M - s).
Proof.
  intros [A B C E] L. split; intros t; intros.
  - apply A. lia.
  - apply B; [lia | assumption].
  - apply C. lia.
  - rewrite Nat.add_succ_r. apply E. lia.
Qed.

Theorem theorem2_wrong n l X c z w pick M t0 : l <> [] -> separable n l -> largest_square n l X -> 0 < c -> closest n l z ->
  krauth_mezard n l X c w pick M -> Y n z w 0 < 0 -> - Y n z w 0 <= g n X z * INR t0 ->
  INR M <= INR t0 + X / dot n z z * (c + / 2 + sqrt (/ 4 + ((1 - g n X z) * c + (N n z w 0%nat + g n X z * INR t0)))).
Proof.
  intros NE Sep SX Pc Cl run neg few.
  assert (Pg : 0 < g n X z) by (eapply g_pos; eassumption).
  assert (PX : 0 < X) by (eapply XX; eassumption). assert (Pz : 0 < dot n z z) by (eapply zz; eassumption).
  set (G := g n X z) in *. set (R := sqrt _).
  assert (PR : / 2 <= R).
  { unfold R. replace (/ 2) with (sqrt (/ 4)) by (rewrite <- (sqrt_square (/ 2)) by lra; f_equal; field).
    apply sqrt_le_1_alt. destruct M as [|M].
    - (* no update: g <= 1 is not known, but then - Y 0 <= g t0 is enough *)
      assert (0 <= N n z w 0%nat) by (unfold N; apply Rmult_le_pos; [lra | apply dot_pos]).
      assert (G <= 1). { unfold G, g. destruct SX as [[y [Hy E]] _]. pose proof (closest_low n l z y Cl (corner _ _ Hy)).
        pose proof (cauchy_schwarz n z y). apply Rmult_le_reg_r with X; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. rewrite E in *. nra. }
      assert (0 <= (1 - G) * c) by (apply Rmult_le_pos; lra). lra.
    - assert (G <= 1) by (eapply g_small with (t := 0%nat) (M := S M); try eassumption; lia).
      assert (0 <= N n z w 0%nat) by (unfold N; apply Rmult_le_pos; [lra | apply dot_pos]).
      assert (0 <= (1 - G) * c) by (apply Rmult_le_pos; lra). lra. }
  assert (PB : 0 <= X / dot n z z * (c + / 2 + R)) by (apply Rmult_le_pos; [left; now apply Rdiv_lt_0_compat | lra]).
  destruct (Rlt_dec (Y n z w M) 0) as [never|up].
  - (* never on the right side: at most t0 updates *)
    assert (C : G * INR M <= Y n z w M - Y n z w 0) by (eapply climb; try eassumption; lia).
    assert (INR M <= INR t0) by (apply Rmult_le_reg_l with G; lra). lra.
  - assert (F : exists s, (S s <= M)%nat /\ 0 <= Y n z w (S s) /\ Y n z w s < 0).
    { destruct (first_above n z w M 0 M ltac:(lia) ltac:(lra)) as [T [LT [HT [->|[s [-> Hs]]]]]]; [lra|].
      now exists s. }
    destruct F as [s [Ls [Us Bs]]].
    assert (before : forall r, (r < S s)%nat -> Y n z w r < 0).
    { intros r Lr. assert (Y n z w r <= Y n z w s) by (eapply Y_grows; try eassumption; lia). lra. }
    assert (slow : forall r, (r <= S s)%nat -> N n z w r <= N n z w 0%nat + G * INR r).
    { induction r as [|r IH]; intros Lr; [simpl; lra|]. rewrite S_INR.
      assert (N n z w (S r) <= N n z w r + 2 * G * m n w pick r + G) by (eapply N_update; try eassumption; lia).
      assert (m n w pick r <= Y n z w r) by (eapply m_low; try eassumption; lia).
      pose proof (before r ltac:(lia)). pose proof (IH ltac:(lia)). nra. }
    assert (early : INR (S s) <= INR t0).
    { assert (C : G * INR s <= Y n z w s - Y n z w 0) by (eapply climb; try eassumption; lia).
      assert (H : INR s < INR t0) by (apply Rmult_lt_reg_l with G; lra). apply INR_lt in H. apply le_INR. lia. }
    pose proof (slow (S s) ltac:(lia)) as NS. pose proof (later n l X c w pick M (S s) run Ls) as run'.
    set (w' := fun t => w (S s + t)%nat) in *. set (p' := fun t => pick (S s + t)%nat) in *.
    assert (Y' : Y n z w' 0 = Y n z w (S s)) by (unfold Y, w'; now rewrite Nat.add_0_r).
    assert (N' : N n z w' 0 = N n z w (S s)) by (unfold N, w'; now rewrite Nat.add_0_r).
    assert (EM : INR M = INR (S s) + INR (M - S s)) by (rewrite <- plus_INR; f_equal; lia).
    assert (more : INR (M - S s) <= X / dot n z z * (c + / 2 + R)); [|lra].
    assert (cst : 0 < X / dot n z z) by (now apply Rdiv_lt_0_compat).
    set (y := Y n z w (S s)) in *.
    assert (GT : G * INR (S s) <= G * INR t0) by (apply Rmult_le_compat_l; lra).
    assert (G1 : 0 < INR (M - S s) -> G <= 1).
    { intros H. eapply g_small with (t := 0%nat); try eassumption. change 0 with (INR 0) in H. apply INR_lt in H. lia. }
    destruct (Req_dec (INR (M - S s)) 0) as [->|NZ]; [assumption|].
    assert (P1 : G <= 1) by (apply G1; pose proof (pos_INR (M - S s)); lra).
    destruct (Rle_dec y c) as [below|above].
    + eapply Rle_trans; [eapply (theorem2_below n l X c z w' p' (M - S s)); try eassumption; rewrite Y'; split; lra|].
      rewrite Y', N'. fold G. apply Rmult_le_compat_l; [lra|].
      assert (sqrt (/ 4 + ((1 - G) * (c - y) + (N n z w (S s) - y * y))) <= R); [|lra].
      apply sqrt_le_1_alt. assert ((1 - G) * (c - y) <= (1 - G) * c) by (apply Rmult_le_compat_l; lra). nra.
    + eapply Rle_trans; [eapply (theorem2_above n l X c z w' p' (M - S s)); try eassumption; rewrite Y'; lra|].
      rewrite Y', N'. apply Rmult_le_compat_l; [lra|].
      assert (sqrt (/ 4 + ((c - y) + (c - y) * (c - y) + (N n z w (S s) - y * y))) <= R); [|lra].
      apply sqrt_le_1_alt. assert (0 <= (1 - G) * c) by (apply Rmult_le_pos; lra). nra.
Qed.

(* --- The algorithm itself, with ties to the first of the lowest: it ends from every start --- *)
Fixpoint lowest (n : nat) (v best : vec) (l : list vec) : vec :=
  match l with
  | [] => best
  | y :: k => if Rlt_dec (dot n v y) (dot n v best) then lowest n v y k else lowest n v best k
  end.
Lemma lowest_spec n v l : forall best,
  (lowest n v best l = best \/ In (lowest n v best l) l) /\
  dot n v (lowest n v best l) <= dot n v best /\ forall y, In y l -> dot n v (lowest n v best l) <= dot n v y.
Proof.
  induction l as [|x k IH]; intros best; simpl; [split; [now left | split; [lra | now intros]]|].
  destruct (Rlt_dec (dot n v x) (dot n v best)).
  - destruct (IH x) as [[E|I] [A B]]; (split; [right; auto | split; [lra | intros y [<-|H]; [lra | auto]]]).
  - destruct (IH best) as [[E|I] [A B]]; (split; [auto | split; [lra | intros y [<-|H]; [lra | auto]]]).
Qed.

Definition pick_lowest (n : nat) (l : list vec) (v : vec) : vec := lowest n v (hd zero l) (tl l).
Lemma pick_lowest_spec n l v : l <> [] ->
  In (pick_lowest n l v) l /\ forall y, In y l -> dot n v (pick_lowest n l v) <= dot n v y.
Proof.
  destruct l as [|x k]; [contradiction|]. intros _. unfold pick_lowest; simpl.
  destruct (lowest_spec n v k x) as [[E|I] [A B]].
  - split; [left; auto | intros y [<-|H]; auto].
  - split; [now right | intros y [<-|H]; auto].
Qed.

Fixpoint weights (n : nat) (l : list vec) (X : R) (w0 : vec) (t : nat) : vec :=
  match t with
  | O => w0
  | S s => add (weights n l X w0 s) (scale (/ X) (pick_lowest n l (weights n l X w0 s)))
  end.

Lemma above_any B : exists K, B < INR K.
Proof.
  exists (Z.to_nat (up B)). destruct (archimed B) as [H _]. rewrite INR_IZR_INZ.
  assert (IZR (up B) <= IZR (Z.of_nat (Z.to_nat (up B)))) by (apply IZR_le; lia). lra.
Qed.

Theorem terminates n l X c w0 : l <> [] -> separable n l -> largest_square n l X -> 0 < c ->
  exists M, krauth_mezard n l X c (weights n l X w0) (fun t => pick_lowest n l (weights n l X w0 t)) M /\
            stopped n l c (weights n l X w0 M).
Proof.
  intros NE Sep SX Pc. set (w := weights n l X w0). set (p := fun t => pick_lowest n l (w t)).
  assert (go : forall K, (exists M, krauth_mezard n l X c w p M /\ stopped n l c (w M)) \/ krauth_mezard n l X c w p K).
  { induction K as [|K [IH|IH]].
    - right. split; intros; lia.
    - now left.
    - destruct (Rlt_dec (dot n (w K) (p K)) c) as [runs|stops].
      + right. destruct (pick_lowest_spec n l (w K) NE) as [I Low].
        split; intros t; intros; destruct (Nat.eq_dec t K) as [->|]; try assumption; try reflexivity.
        * apply (km_member _ _ _ _ _ _ _ IH). lia.
        * now apply Low.
        * apply (km_lowest _ _ _ _ _ _ _ IH); [lia | assumption].
        * apply (km_running _ _ _ _ _ _ _ IH). lia.
      + left. exists K. split; [assumption|]. intros y Hy. destruct (pick_lowest_spec n l (w K) NE) as [_ Low].
        pose proof (Low y Hy). fold (p K) in *. lra. }
  destruct (closest_exists n l NE) as [z Cl].
  set (B := X / dot n z z * (c + 1 + sqrt (c + 1) + 2 * (norm n z * norm n (w 0%nat)))).
  destruct (above_any B) as [K HK]. destruct (go K) as [done|run]; [assumption|].
  exfalso. pose proof (updates_bound n l X c z w p K Sep SX Pc Cl run) as U. fold B in U. lra.
Qed.

(* --- The theorem, for the largest margin that there is --- *)
Definition margin_of (n : nat) (l : list vec) (v : vec) (m : R) : Prop :=
  (forall y, In y l -> m <= dot n (scale (/ norm n v) v) y) /\ exists y, In y l /\ m = dot n (scale (/ norm n v) v) y.

Theorem gap_closed n l X c dopt w pick M : l <> [] -> separable n l -> largest_square n l X -> largest_margin n l dopt ->
  0 < c -> krauth_mezard n l X c w pick M ->
  INR M <= X / (dopt * dopt) * (c + 1 + sqrt (c + 1) + 2 * (dopt * norm n (w 0%nat))) /\
  forall dc, stopped n l c (w M) -> margin_of n l (w M) dc ->
  dc / dopt >= c / (c + 1 + sqrt (c + 1) + dopt * norm n (w 0%nat)).
Proof.
  intros NE Sep SX LM Pc run. destruct (largest_margin_exists n l NE Sep) as [z [Cl [Pz Mz]]].
  rewrite (largest_margin_unique n l dopt (norm n z) LM Mz). split.
  - rewrite norm_square. now apply (updates_bound n l X c z w pick M Sep SX Pc Cl run).
  - intros dc H [_ E]. now apply (gap n l X c z w pick M Sep SX Pc Cl run).
Qed.

(* The length: |w_M| / |w*| tends to 1, where |w*| = c / dopt. *)
Theorem length_limit n l X dopt w0 eps : l <> [] -> separable n l -> largest_square n l X -> largest_margin n l dopt -> 0 < eps ->
  exists C, forall c w pick M, C < c -> 0 < c -> w 0%nat = w0 -> krauth_mezard n l X c w pick M -> stopped n l c (w M) ->
  1 <= norm n (w M) / (c / dopt) <= 1 + eps.
Proof.
  intros NE Sep SX LM Pe. destruct (largest_margin_exists n l NE Sep) as [z [Cl [Pz Mz]]].
  rewrite (largest_margin_unique n l dopt (norm n z) LM Mz). set (h := norm n z * norm n w0).
  assert (Pn : 0 < norm n z) by (apply sqrt_lt_R0; assumption).
  assert (Ph : 0 <= h) by (apply Rmult_le_pos; [lra | apply norm_pos]).
  set (q := (3 + h) / eps). assert (Pq : 0 < q) by (apply Rdiv_lt_0_compat; lra).
  exists (q * q + 1). intros c w pick M HC Pc E run H.
  assert (above : c <= Y n z w M) by (eapply stop_above; eassumption).
  pose proof (theorem1c n l X c z w pick M Sep SX Pc Cl run M ltac:(lia) above) as V. rewrite E in V. fold h in V.
  pose proof (dot_norm n (w M) z) as CS. unfold Y in above.
  assert (R : norm n (w M) / (c / norm n z) = norm n z * norm n (w M) / c) by (field; lra). rewrite R.
  assert (rq : sqrt (c + 1) <= c / q + 1).
  { set (r := sqrt (c + 1)). assert (rr : r * r = c + 1) by (apply sqrt_sqrt; lra).
    assert (Pr : 0 < r) by (apply sqrt_lt_R0; lra).
    assert (q <= r - / r).
    { apply Rmult_le_reg_r with r; [assumption|]. replace ((r - / r) * r) with (r * r - 1) by (field; lra). rewrite rr.
      destruct (Rle_dec (q * r) (c + 1 - 1)); [assumption | exfalso]. assert (c < q * r) by lra.
      assert (r < q + / q). { destruct (Rlt_dec r (q + / q)); [assumption|exfalso].
        assert (q * (q + / q) <= q * r) by (apply Rmult_le_compat_l; lra). assert (q * (q + / q) = q * q + 1) by (field; lra). nra. }
      assert (q * r < q * (q + / q)) by (apply Rmult_lt_compat_l; lra). assert (q * (q + / q) = q * q + 1) by (field; lra). lra. }
    apply Rmult_le_reg_l with q; [assumption|]. replace (q * (c / q + 1)) with (c + q) by (field; lra).
    assert (q * r <= (r - / r) * r) by (apply Rmult_le_compat_r; lra). replace ((r - / r) * r) with (r * r - 1) in * by (field; lra). lra. }
  split.
  - apply Rmult_le_reg_r with c; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. lra.
  - apply Rmult_le_reg_r with c; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (c / q * (3 + h) = eps * c) by (unfold q; field; split; lra).
    assert (cq : 1 <= c / q). { apply Rmult_le_reg_r with q; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. nra. }
    assert (c / q + 2 + h <= c / q * (3 + h)) by nra. lra.
Qed.

(* No margin is larger than the largest. *)
Lemma at_most_best n l c dopt v dc : l <> [] -> separable n l -> largest_margin n l dopt -> 0 < c -> stopped n l c v ->
  margin_of n l v dc -> dc / dopt <= 1.
Proof.
  intros NE Sep LM Pc H [Low _]. destruct (largest_margin_exists n l NE Sep) as [z [_ [Pz Mz]]].
  assert (Pd : 0 < dopt) by (rewrite (largest_margin_unique n l dopt (norm n z) LM Mz); now apply sqrt_lt_R0).
  destruct l as [|y k]; [contradiction|]. pose proof (H y (or_introl eq_refl)) as Hy. pose proof (dot_norm n v y) as C.
  assert (Pv : 0 < norm n v) by (destruct (Req_dec (norm n v) 0) as [Z|]; [rewrite Z in C; lra | pose proof (norm_pos n v); lra]).
  assert (U : dot n (scale (/ norm n v) v) (scale (/ norm n v) v) = 1) by (rewrite dotZ, dotZr, <- norm_square; field; lra).
  pose proof (proj2 LM _ dc U Low). apply Rmult_le_reg_r with dopt; [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* Guyon and Stork's limit, from every start: for every eps > 0 all c beyond some C give at least (1 - eps) of it. *)
Theorem limit n l X dopt w0 eps : l <> [] -> separable n l -> largest_square n l X -> largest_margin n l dopt -> 0 < eps ->
  exists C, forall c w pick M dc, C < c -> 0 < c -> w 0%nat = w0 -> krauth_mezard n l X c w pick M ->
  stopped n l c (w M) -> margin_of n l (w M) dc -> 1 - eps <= dc / dopt <= 1.
Proof.
  intros NE Sep SX LM Pe. destruct (largest_margin_exists n l NE Sep) as [z [_ [Pz Mz]]].
  set (h := dopt * norm n w0).
  assert (Ph : 0 <= h).
  { unfold h. rewrite (largest_margin_unique n l dopt (norm n z) LM Mz). apply Rmult_le_pos; apply norm_pos. }
  set (q := (2 + h) / eps). assert (Pq : 0 < q) by (apply Rdiv_lt_0_compat; lra).
  exists (q * q). intros c w pick M dc HC Pc E run H Hm.
  split; [|now apply (at_most_best n l c dopt (w M) dc)].
  destruct (gap_closed n l X c dopt w pick M NE Sep SX LM Pc run) as [_ G]. pose proof (G dc H Hm) as B.
  rewrite E in B. fold h in B. apply Rge_le in B. eapply Rle_trans; [|exact B].
  set (r := sqrt (c + 1)) in *. assert (rr : r * r = c + 1) by (apply sqrt_sqrt; lra).
  assert (Pr : 0 < r) by (apply sqrt_lt_R0; lra).
  assert (qr : q < r).
  { destruct (Rlt_dec q r); [assumption | exfalso]. assert (r * r <= q * q) by (apply Rmult_le_compat; lra). lra. }
  assert (er : 2 + h <= eps * r).
  { replace (2 + h) with (eps * q) by (unfold q; field; lra). apply Rmult_le_compat_l; lra. }
  apply Rmult_le_reg_r with (c + 1 + r + h); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (1 <= r) by (destruct (Rle_dec 1 r); [assumption | exfalso; nra]).
  assert (K : 1 + r + h <= eps * (c + 1)).
  { rewrite <- rr. assert (1 + r + h <= (2 + h) * r) by nra. assert ((2 + h) * r <= eps * r * r) by (apply Rmult_le_compat_r; lra). lra. }
  assert (0 <= eps * (r + h)) by (apply Rmult_le_pos; lra). lra.
Qed.
