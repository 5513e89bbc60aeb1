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

(* Guyon and Stork's limit, from every start: for every eps > 0 all c beyond some C give at least (1 - eps) of it. *)
Theorem limit n l X dopt w0 eps : l <> [] -> separable n l -> largest_square n l X -> largest_margin n l dopt -> 0 < eps ->
  exists C, forall c w pick M dc, C < c -> 0 < c -> w 0%nat = w0 -> krauth_mezard n l X c w pick M ->
  stopped n l c (w M) -> margin_of n l (w M) dc -> dc / dopt >= 1 - eps.
Proof.
  intros NE Sep SX LM Pe. destruct (largest_margin_exists n l NE Sep) as [z [_ [Pz Mz]]].
  set (h := dopt * norm n w0).
  assert (Ph : 0 <= h).
  { unfold h. rewrite (largest_margin_unique n l dopt (norm n z) LM Mz). apply Rmult_le_pos; apply norm_pos. }
  set (q := (2 + h) / eps). assert (Pq : 0 < q) by (apply Rdiv_lt_0_compat; lra).
  exists (q * q). intros c w pick M dc HC Pc E run H Hm.
  destruct (gap_closed n l X c dopt w pick M NE Sep SX LM Pc run) as [_ G]. pose proof (G dc H Hm) as B.
  rewrite E in B. fold h in B. apply Rge_trans with (1 := B). apply Rle_ge.
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
