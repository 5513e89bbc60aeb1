"""What the proofs promise: a module for each document, a function for each equation.

Claim `falkowski-eq4` is computed by `bounds.falkowski.eq4`, its correction by `eq4_corrected`; what we add is in
`bounds.ours` and `bounds.gap`; `bounds.replay` evaluates the lines of the convergence proofs along a run.

Plain numbers in, plain numbers out. Squared lengths are taken where that keeps rational data rational: integers and
Fractions then give Fractions. Throughout, R² = max ‖z_j‖² over the folded patterns, γ is a margin (z_j · u ≥ γ for a
unit vector u), T is the number of corrections and w0 the start.
"""

from lib.bounds import collobert, ctu, falkowski, gap, liang, ours, replay, rojas

__all__ = ["collobert", "ctu", "falkowski", "gap", "liang", "ours", "replay", "rojas"]
