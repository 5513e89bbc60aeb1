(* Ours: Krauth and Mezard's algorithm may start anywhere. Termination, the ratio of the margins, the number of updates.

   The numbers that the proof watches, for the closest point z of the hull, Delta = |z|:
     Y t = <z, w_t>, the part along z;  N t = Delta^2 |w_t|^2 >= (Y t)^2;  g = Delta^2 / X <= 1. *)
Require Import Reals ZArith List Lra Lia Psatz.
From Margin Require Import Inner Falkowski.
Import ListNotations.
Open Scope R_scope.

Lemma below_root e A : e * e - e <= A -> e <= / 2 + sqrt (/ 4 + A).
Proof.
  intros H. destruct (Rle_dec e (/ 2)) as [|L]; [pose proof (sqrt_pos (/ 4 + A)); lra|].
  assert (S : (e - / 2) * (e - / 2) <= / 4 + A) by nra.
  assert (e - / 2 <= sqrt (/ 4 + A)); [|lra].
  rewrite <- (sqrt_square (e - / 2)) by lra. now apply sqrt_le_1_alt.
Qed.

Section Run.
Variables (n : nat) (l : list vec) (X c : R) (z : vec) (w pick : nat -> vec) (M : nat).
Notation "⟨ a , b ⟩" := (dot n a b) (at level 0, a at level 99, b at level 99).
Hypothesis nonempty : l <> [].
Hypothesis sep : separable n l.
Hypothesis square_X : largest_square n l X.
Hypothesis c_pos : 0 < c.
Hypothesis nearest : closest n l z.
Hypothesis run : krauth_mezard n l X c w pick M.

Notation D := (norm n z).
Definition g := ⟨z, z⟩ / X.
Definition Y t := ⟨w t, z⟩.
Definition N t := ⟨z, z⟩ * ⟨w t, w t⟩.
Definition d t := ⟨z, pick t⟩ / X.
Definition m t := ⟨w t, pick t⟩.

Lemma zz : 0 < ⟨z, z⟩.
Proof. eapply z_pos; eassumption. Qed.
Lemma XX : 0 < X.
Proof. eapply X_pos; eassumption. Qed.
Lemma g_pos : 0 < g.
Proof. apply Rdiv_lt_0_compat; [apply zz | apply XX]. Qed.
Lemma D_pos : 0 < D.
Proof. apply sqrt_lt_R0, zz. Qed.
Lemma DD : D * D = ⟨z, z⟩.
Proof. apply norm_square. Qed.
Lemma in_l t : (t < M)%nat -> In (pick t) l.
Proof. apply (km_member _ _ _ _ _ _ _ run). Qed.
Lemma d_low t : (t < M)%nat -> g <= d t.
Proof. intros L. eapply along_low; eassumption. Qed.
Lemma d_high t : (t < M)%nat -> d t <= 1.
Proof. intros L. eapply along_high; eassumption. Qed.
(* the largest part along z that one update adds is gamma = sqrt g *)
Lemma d_gamma t : (t < M)%nat -> d t <= sqrt g.
Proof.
  intros L. apply Rsqr_incr_0; unfold Rsqr; [| left; eapply Rlt_le_trans; [apply g_pos | now apply d_low] | apply sqrt_pos].
  rewrite sqrt_sqrt by (left; apply g_pos). unfold d, g. pose proof XX. pose proof zz.
  pose proof (cauchy_schwarz n z (pick t)) as C. pose proof (small n l X square_X _ (in_l t L)) as S.
  replace (⟨z, pick t⟩ / X * (⟨z, pick t⟩ / X)) with (⟨z, pick t⟩ * ⟨z, pick t⟩ / X / X) by (field; lra).
  unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  apply Rmult_le_reg_r with X; [assumption|]. rewrite Rmult_assoc, Rinv_l by lra.
  assert (⟨z, z⟩ * ⟨pick t, pick t⟩ <= ⟨z, z⟩ * X) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma g_small t : (t < M)%nat -> g <= 1.
Proof. intros L. pose proof (d_low t L). pose proof (d_high t L). lra. Qed.

Lemma Y_update t : (t < M)%nat -> Y (S t) = Y t + d t.
Proof. intros L. eapply along_update; eassumption. Qed.
Lemma N_update t : (t < M)%nat -> N (S t) <= N t + 2 * g * m t + g.
Proof.
  intros L. pose proof (norm_update n l X c w pick M sep square_X run t L) as U. pose proof zz.
  unfold N, g, m. replace (⟨z, z⟩ * ⟨w t, w t⟩ + 2 * (⟨z, z⟩ / X) * ⟨w t, pick t⟩ + ⟨z, z⟩ / X)
    with (⟨z, z⟩ * (⟨w t, w t⟩ + 2 * ⟨w t, pick t⟩ / X + / X)) by (unfold Rdiv; ring).
  apply Rmult_le_compat_l; lra.
Qed.
Lemma m_low t : (t < M)%nat -> m t <= Y t.
Proof. intros L. eapply lowest_low; eassumption. Qed.
Lemma m_running t : (t < M)%nat -> m t < c.
Proof. apply (km_running _ _ _ _ _ _ _ run). Qed.
Lemma YN t : Y t * Y t <= N t.
Proof. pose proof (cauchy_schwarz n (w t) z). unfold Y, N. lra. Qed.
Lemma N_pos t : 0 <= N t.
Proof. pose proof (YN t). nra. Qed.
Lemma root_N t : sqrt (N t) = D * norm n (w t).
Proof. unfold N, norm. apply sqrt_mult_alt. left. apply zz. Qed.
Lemma Y_root t : Y t <= sqrt (N t).
Proof. rewrite root_N. unfold Y. rewrite Rmult_comm. apply dot_norm. Qed.
Lemma climb t : (t <= M)%nat -> g * INR t <= Y t - Y 0%nat.
Proof.
  induction t as [|t IH]; intros L; [simpl; lra|].
  rewrite S_INR, (Y_update t L). pose proof (d_low t L). pose proof (IH ltac:(lia)). lra.
Qed.
Lemma Y_grows s t : (s <= t)%nat -> (t <= M)%nat -> Y s <= Y t.
Proof.
  induction 1 as [|t L IH]; intros H; [lra|]. rewrite (Y_update t) by lia. pose proof (d_low t ltac:(lia)). pose proof g_pos.
  pose proof (IH ltac:(lia)). lra.
Qed.

(* --- The two invariants --- *)
Lemma one_update t : (t < M)%nat ->
  (Y t < 0 -> N (S t) <= N t + (Y (S t) - Y t)) /\
  (0 <= Y t -> N (S t) - Y (S t) * Y (S t) <= N t - Y t * Y t + g - g * g /\
               N (S t) - Y (S t) * Y (S t) <= N t - Y t * Y t + (Y (S t) - Y t)).
Proof.
  intros L. pose proof (N_update t L) as U. pose proof (m_low t L). pose proof (d_low t L). pose proof g_pos as P.
  rewrite (Y_update t L) in *. split; intros S.
  - assert (2 * g * m t <= 0) by nra. lra.
  - assert (g * m t <= Y t * d t) by (apply Rle_trans with (g * Y t); nra). nra.
Qed.

Theorem part_across t : (t <= M)%nat ->
  N t - Y t * Y t <= N 0%nat + Y t - Y 0%nat /\ (Y t < 0 -> N t <= N 0%nat + Y t - Y 0%nat).
Proof.
  induction t as [|t IH]; intros L; [split; [nra | lra]|].
  destruct (IH ltac:(lia)) as [A B]. destruct (one_update t L) as [U W]. pose proof (d_low t L). pose proof g_pos.
  pose proof (Y_update t L). destruct (Rlt_dec (Y t) 0) as [neg|pos].
  - pose proof (B neg). pose proof (U neg). split; intros; nra.
  - destruct (W ltac:(lra)). split; [lra|]. intros; lra.
Qed.

(* So the part across, times Delta, has a square of at most g t + N 0; and Y is not negative from - Y 0 / g on. *)
Theorem across_all t : (t <= M)%nat -> N t - Y t * Y t <= g * INR t + N 0%nat.
Proof.
  intros L. assert (A : forall s, (s <= t)%nat -> N s - Y s * Y s <= g * INR s + N 0%nat /\ (Y s < 0 -> N s <= g * INR s + N 0%nat)).
  { induction s as [|s IH]; intros Ls; [simpl; split; nra|].
    destruct (IH ltac:(lia)) as [A B]. destruct (one_update s ltac:(lia)) as [_ W]. pose proof (N_update s ltac:(lia)) as U.
    pose proof (m_low s ltac:(lia)). pose proof (d_low s ltac:(lia)). pose proof g_pos. pose proof (Y_update s ltac:(lia)). rewrite S_INR.
    destruct (Rlt_dec (Y s) 0) as [neg|pos].
    - pose proof (B neg). assert (N (S s) <= g * (INR s + 1) + N 0%nat) by nra. split; intros; nra.
    - destruct (W ltac:(lra)). split; intros; nra. }
  now apply A.
Qed.
Theorem right_side_later t : (t <= M)%nat -> - Y 0%nat <= g * INR t -> 0 <= Y t.
Proof. intros L H. pose proof (climb t L). lra. Qed.
Theorem lowest_below t : (t < M)%nat -> m t <= Y t.
Proof. exact (m_low t). Qed.
Theorem stop_above : stopped n l c (w M) -> c <= Y M.
Proof. intros H. unfold Y. now apply (duality n l z nearest). Qed.

(* Beyond a time T the length is governed by (3): N - (2c + 1) Y does not grow. *)
Lemma late T t : (T <= t)%nat -> (t <= M)%nat -> N t - (2 * c + 1) * Y t <= N T - (2 * c + 1) * Y T.
Proof.
  induction 1 as [|t L IH]; intros H; [lra|]. pose proof (IH ltac:(lia)). pose proof (N_update t H). pose proof (d_low t H).
  pose proof (m_running t H). pose proof g_pos. rewrite (Y_update t H). nra.
Qed.

(* The first time at which Y is at least a. *)
Lemma first_above a t : (t <= M)%nat -> a <= Y t ->
  exists T, (T <= t)%nat /\ a <= Y T /\ (T = 0%nat \/ exists s, T = S s /\ Y s < a).
Proof.
  induction t as [|t IH]; intros L H; [exists 0%nat; auto|].
  destruct (Rle_dec a (Y t)) as [above|below].
  - destruct (IH ltac:(lia) above) as [T [? [? ?]]]. exists T. split; [lia | auto].
  - exists (S t). split; [lia|]. split; [assumption|]. right. exists t. split; [reflexivity | lra].
Qed.

(* --- Theorem 1: the length of w, as soon as Y is at least c --- *)
(* (star) *)
Lemma star T t : (T <= t)%nat -> (t <= M)%nat ->
  N t - (2 * c + 1) * sqrt (N t) <= N T - (2 * c + 1) * Y T.
Proof. intros A B. pose proof (late T t A B). pose proof (Y_root t). nra. Qed.

(* H: what may lie across when Y first is not negative *)
Section PartA.
Variables (H : R) (tau : nat).
Hypothesis tau_up : 0 <= Y tau.
Hypothesis tau_H : N tau - Y tau * Y tau <= H.

Lemma after_tau t : (tau <= t)%nat -> (t <= M)%nat -> N t - Y t * Y t <= H + (1 - g) * (Y t - Y tau).
Proof.
  induction 1 as [|t L IH]; intros B; [lra|]. pose proof (IH ltac:(lia)) as A.
  assert (Lt : (t < M)%nat) by lia. pose proof (Y_grows tau t L ltac:(lia)).
  destruct (one_update t Lt) as [_ W]. destruct (W ltac:(lra)) as [U _]. pose proof (d_low t Lt). pose proof (g_small t Lt).
  pose proof (Y_update t Lt). nra.
Qed.

Lemma part_a t : (tau <= t)%nat -> (t <= M)%nat -> Y 0%nat < c -> (forall s, (s < tau)%nat -> Y s < 0) -> c <= Y t ->
  sqrt (N t) <= c + / 2 + sqrt (/ 4 + ((1 - g) * c + g * (1 - sqrt g) + H)).
Proof.
  intros A B low before high. destruct (first_above c t B high) as [T [LT [HT [->|[s [-> Hs]]]]]]; [lra|].
  assert (Ls : (s < M)%nat) by lia. assert (G : sqrt g * sqrt g = g) by (apply sqrt_sqrt; left; apply g_pos).
  assert (LT2 : (tau <= S s)%nat).
  { destruct (le_lt_dec tau (S s)) as [|bad]; [assumption|]. pose proof (before (S s) bad). lra. }
  assert (HT2 : Y (S s) <= c + sqrt g) by (rewrite (Y_update s Ls); pose proof (d_gamma s Ls); lra).
  pose proof (after_tau (S s) LT2 ltac:(lia)) as K. pose proof (star (S s) t LT B) as St. pose proof g_pos.
  pose proof (g_small s Ls). pose proof (sqrt_pos g) as Pg. pose proof c_pos.
  set (V := sqrt (N t)) in *. assert (VV : V * V = N t) by (apply sqrt_sqrt, N_pos).
  set (y := Y (S s)) in *. set (q := sqrt g) in *.
  assert (y * y - (2 * c + g) * y <= - c * c - g * c + g * (1 - q)).
  { assert (q <= 1) by (destruct (Rle_dec q 1); [assumption | nra]). assert (g <= q) by nra.
    assert (0 <= (c + q - y) * (y - c + (q - g))) by (apply Rmult_le_pos; lra).
    replace ((c + q - y) * (y - c + (q - g))) with (- c * c - g * c + (q * q) - g * q - (y * y - (2 * c + g) * y)) in * by ring.
    lra. }
  assert ((1 - g) * (y - Y tau) <= (1 - g) * y) by nra.
  assert (E : (V - c) * (V - c) - (V - c) <= (1 - g) * c + g * (1 - q) + H) by nra.
  pose proof (below_root _ _ E). lra.
Qed.
End PartA.

(* (a), start on the right side: s0 >= 0 and c > Delta s0. V = Delta |w_t| for every t with Y t >= c, as at the stop. *)
Theorem theorem1a_right t : (t <= M)%nat -> 0 <= Y 0%nat < c -> c <= Y t ->
  D * norm n (w t) <= c + / 2 + sqrt (/ 4 + ((1 - g) * c + g * (1 - sqrt g) + (N 0%nat - Y 0%nat * Y 0%nat))).
Proof.
  intros L [P Q] H. rewrite <- root_N. apply (part_a _ 0%nat); try assumption; try lia; lra.
Qed.

(* (a), start on the wrong side: t0 is any number of updates with g t0 >= - Y 0. *)
Theorem theorem1a_wrong t t0 : (t <= M)%nat -> Y 0%nat < 0 -> - Y 0%nat <= g * INR t0 -> c <= Y t ->
  D * norm n (w t) <= c + / 2 + sqrt (/ 4 + ((1 - g) * c + g * (1 - sqrt g) + (N 0%nat + g * INR t0))).
Proof.
  intros L P Q H. rewrite <- root_N. pose proof c_pos.
  destruct (first_above 0 t L ltac:(lra)) as [tau [L1 [U [->|[s [-> Hs]]]]]]; [lra|].
  assert (before : forall r, (r < S s)%nat -> Y r < 0).
  { intros r Lr. pose proof (Y_grows r s ltac:(lia) ltac:(lia)). lra. }
  assert (slow : forall r, (r <= S s)%nat -> N r <= N 0%nat + g * INR r).
  { induction r as [|r IH]; intros Lr; [simpl; lra|]. rewrite S_INR. pose proof (N_update r ltac:(lia)).
    pose proof (m_low r ltac:(lia)). pose proof (before r ltac:(lia)). pose proof (IH ltac:(lia)). pose proof g_pos. nra. }
  assert (few : g * INR (S s) <= g * INR t0).
  { pose proof (climb s ltac:(lia)). pose proof g_pos as Pg. assert (INR s < INR t0) by (apply Rmult_lt_reg_l with g; lra).
    apply Rmult_le_compat_l; [lra|]. apply le_INR. apply INR_lt in H2. lia. }
  apply (part_a _ (S s)); try assumption; try lia; try lra.
  pose proof (slow (S s) ltac:(lia)). nra.
Qed.

(* (b): c <= Delta s0 *)
Theorem theorem1b t : (t <= M)%nat -> c <= Y 0%nat ->
  D * norm n (w t) <= c + / 2 + sqrt ((Y 0%nat - c - / 2) * (Y 0%nat - c - / 2) + (N 0%nat - Y 0%nat * Y 0%nat)).
Proof.
  intros L H. rewrite <- root_N. pose proof (star 0%nat t ltac:(lia) L) as St.
  set (V := sqrt (N t)) in *. assert (VV : V * V = N t) by (apply sqrt_sqrt, N_pos).
  set (A := (Y 0%nat - c - / 2) * (Y 0%nat - c - / 2) + (N 0%nat - Y 0%nat * Y 0%nat)).
  assert (E : (V - c) * (V - c) - (V - c) <= A - / 4) by (unfold A; nra).
  pose proof (below_root _ _ E) as B. replace (/ 4 + (A - / 4)) with A in B by ring. lra.
Qed.

(* (c): always *)
Lemma from_square e a b : 0 <= a -> 0 <= b -> (e - / 2) * (e - / 2) <= a + (b + / 2) * (b + / 2) -> e <= 1 + sqrt a + b.
Proof.
  intros Pa Pb H. pose proof (sqrt_pos a). pose proof (sqrt_sqrt a Pa).
  destruct (Rle_dec (e - / 2) (sqrt a + b + / 2)); [lra | exfalso; nra].
Qed.

Theorem theorem1c t : (t <= M)%nat -> c <= Y t -> D * norm n (w t) <= c + 1 + sqrt (c + 1) + D * norm n (w 0%nat).
Proof.
  intros L H. rewrite <- !root_N. set (V := sqrt (N t)). set (h := sqrt (N 0%nat)).
  assert (VV : V * V = N t) by (apply sqrt_sqrt, N_pos). assert (hh : h * h = N 0%nat) by (apply sqrt_sqrt, N_pos).
  assert (Ph : 0 <= h) by apply sqrt_pos. pose proof c_pos.
  assert (Y0 : - h <= Y 0%nat <= h) by (pose proof (YN 0%nat); rewrite <- hh in *; split; nra).
  destruct (first_above c t L H) as [T [LT [HT Q]]]. pose proof (star T t LT L) as St. fold V in St.
  assert (E : (V - c - / 2) * (V - c - / 2) <= c + 1 + (h + / 2) * (h + / 2)).
  { destruct Q as [->|[s [-> Hs]]].
    - pose proof (YN 0%nat). nra.
    - destruct (part_across (S s) ltac:(lia)) as [A _]. pose proof (d_high s ltac:(lia)).
      rewrite (Y_update s) in * by lia. nra. }
  pose proof (from_square (V - c) (c + 1) h ltac:(lra) Ph E). lra.
Qed.

(* Termination: the number of updates made so far is bounded, whatever the start. *)
Theorem updates_bound : INR M <= X / ⟨z, z⟩ * (c + 1 + sqrt (c + 1) + 2 * (D * norm n (w 0%nat))).
Proof.
  pose proof (climb M ltac:(lia)) as C. pose proof c_pos. pose proof zz. pose proof XX. pose proof g_pos.
  assert (P : 0 <= D * norm n (w 0%nat)) by (apply Rmult_le_pos; [left; apply D_pos | apply norm_pos]).
  assert (Y0 : - (D * norm n (w 0%nat)) <= Y 0%nat).
  { pose proof (YN 0%nat) as A. assert (B : (D * norm n (w 0%nat)) * (D * norm n (w 0%nat)) = N 0%nat).
    { rewrite <- root_N. apply sqrt_sqrt, N_pos. }
    rewrite <- B in A. nra. }
  assert (Q : Y M <= c + 1 + sqrt (c + 1) + D * norm n (w 0%nat)).
  { pose proof (sqrt_pos (c + 1)). destruct (Rle_dec c (Y M)) as [above|]; [|lra].
    pose proof (theorem1c M ltac:(lia) above). pose proof (Y_root M) as R. rewrite root_N in R. lra. }
  apply Rmult_le_reg_l with g; [assumption|].
  replace (g * (X / ⟨z, z⟩ * (c + 1 + sqrt (c + 1) + 2 * (D * norm n (w 0%nat)))))
    with (c + 1 + sqrt (c + 1) + 2 * (D * norm n (w 0%nat))) by (unfold g; field; lra). lra.
Qed.

(* The gap: where the run has stopped, the margin dc of w_M is at least this part of the largest, D. *)
Theorem gap dc : stopped n l c (w M) ->
  (exists y, In y l /\ dc = dot n (scale (/ norm n (w M)) (w M)) y) ->
  dc / D >= c / (c + 1 + sqrt (c + 1) + D * norm n (w 0%nat)).
Proof.
  intros H [y [Hy ->]]. pose proof c_pos. pose proof D_pos as PD. pose proof (sqrt_pos (c + 1)).
  assert (c <= Y M) as above by (unfold Y; apply (duality n l z nearest); assumption).
  pose proof (theorem1c M ltac:(lia) above) as V. pose proof (Y_root M) as R. rewrite root_N in R.
  assert (PV : 0 < D * norm n (w M)) by lra.
  assert (PN : 0 < norm n (w M)) by (destruct (Rle_dec (norm n (w M)) 0); [nra | lra]).
  rewrite dotZ. apply Rle_ge, Rle_trans with (c / (D * norm n (w M))).
  - apply Rmult_le_compat_l; [lra|]. now apply Rinv_le_contravar.
  - replace (c / (D * norm n (w M))) with (/ norm n (w M) * c / D) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat | now apply H].
Qed.

(* --- Theorem 2: the number of updates, with e = Y0 + g M - c --- *)
Definition beyond t := Rmax 0 (Y 0%nat + g * INR t - c).

Lemma across_update t : (t < M)%nat -> 0 <= Y t ->
  N (S t) - Y (S t) * Y (S t) <= N t - Y t * Y t + g - g * g - 2 * g * Rmax 0 (Y t - c).
Proof.
  intros L P. pose proof (N_update t L). pose proof (m_low t L). pose proof (m_running t L). pose proof (d_low t L).
  pose proof g_pos. rewrite (Y_update t L). assert (Q : g * Y t <= Y t * d t) by nra.
  unfold Rmax. destruct (Rle_dec 0 (Y t - c)); nra.
Qed.

Lemma potential t : 0 <= Y 0%nat -> (t <= M)%nat ->
  N t - Y t * Y t + beyond t * beyond t - g * beyond t
  <= N 0%nat - Y 0%nat * Y 0%nat + beyond 0 * beyond 0 - g * beyond 0 + (g - g * g) * INR t.
Proof.
  intros P. induction t as [|t IH]; intros L; [simpl; lra|].
  pose proof (Y_grows 0 t ltac:(lia) ltac:(lia)). pose proof (across_update t L ltac:(lra)) as U.
  pose proof (IH ltac:(lia)) as I. pose proof (climb t ltac:(lia)) as C. pose proof g_pos. rewrite S_INR.
  assert (B : beyond (S t) * beyond (S t) - g * beyond (S t) <= beyond t * beyond t - g * beyond t + 2 * g * Rmax 0 (Y t - c)).
  { unfold beyond. rewrite S_INR. unfold Rmax.
    destruct (Rle_dec 0 (Y 0%nat + g * (INR t + 1) - c)), (Rle_dec 0 (Y 0%nat + g * INR t - c)), (Rle_dec 0 (Y t - c)); nra. }
  lra.
Qed.

Lemma theorem2_core : 0 <= Y 0%nat -> let e := Y 0%nat + g * INR M - c in 0 <= e ->
  (Y 0%nat <= c -> e * e - e <= (1 - g) * (c - Y 0%nat) + (N 0%nat - Y 0%nat * Y 0%nat)) /\
  (c <= Y 0%nat -> e * e - e <= (c - Y 0%nat) + (c - Y 0%nat) * (c - Y 0%nat) + (N 0%nat - Y 0%nat * Y 0%nat)).
Proof.
  intros P e Pe. pose proof (potential M P ltac:(lia)) as Q. pose proof (YN M). unfold beyond in Q. simpl in Q.
  rewrite Rmult_0_r, Rplus_0_r in Q. fold e in Q. rewrite (Rmax_right 0 e Pe) in Q.
  assert (gM : g * INR M = e + c - Y 0%nat) by (unfold e; ring).
  assert (E : (g - g * g) * INR M = (1 - g) * (e + c - Y 0%nat)) by (rewrite <- gM; ring). rewrite E in Q.
  split; intros H1.
  - rewrite (Rmax_left 0 (Y 0%nat - c)) in Q by lra. nra.
  - rewrite (Rmax_right 0 (Y 0%nat - c)) in Q by lra. nra.
Qed.

(* start on the right side, c >= Delta s0 *)
Theorem theorem2_below : 0 <= Y 0%nat <= c ->
  INR M <= X / ⟨z, z⟩ * ((c - Y 0%nat) + / 2 + sqrt (/ 4 + ((1 - g) * (c - Y 0%nat) + (N 0%nat - Y 0%nat * Y 0%nat)))).
Proof.
  intros [P Q]. pose proof zz. pose proof XX. pose proof g_pos.
  apply Rmult_le_reg_l with g; [assumption|].
  match goal with |- context [sqrt ?a] => pose proof (sqrt_pos a) as Pr; set (r := sqrt a) in * end.
  replace (g * (X / ⟨z, z⟩ * (c - Y 0%nat + / 2 + r))) with (c - Y 0%nat + / 2 + r) by (unfold g; field; lra).
  destruct (Rle_dec 0 (Y 0%nat + g * INR M - c)) as [Pe|]; [|lra].
  destruct (theorem2_core P Pe) as [A _]. pose proof (below_root _ _ (A Q)) as B. fold r in B. lra.
Qed.

(* start on the right side, c < Delta s0 *)
Theorem theorem2_above : c <= Y 0%nat ->
  INR M <= X / ⟨z, z⟩ * ((c - Y 0%nat) + / 2
    + sqrt (/ 4 + ((c - Y 0%nat) + (c - Y 0%nat) * (c - Y 0%nat) + (N 0%nat - Y 0%nat * Y 0%nat)))).
Proof.
  intros Q. pose proof zz. pose proof XX. pose proof g_pos. pose proof c_pos. pose proof (pos_INR M).
  apply Rmult_le_reg_l with g; [assumption|].
  match goal with |- context [sqrt ?a] => pose proof (sqrt_pos a) as Pr; set (r := sqrt a) in * end.
  replace (g * (X / ⟨z, z⟩ * (c - Y 0%nat + / 2 + r))) with (c - Y 0%nat + / 2 + r) by (unfold g; field; lra).
  assert (Pe : 0 <= Y 0%nat + g * INR M - c) by nra.
  destruct (theorem2_core ltac:(lra) Pe) as [_ A]. pose proof (below_root _ _ (A Q)) as B. fold r in B. lra.
Qed.
End Run.
