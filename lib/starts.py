"""Where to start: the difference of the class means, as Rojas prints it and with a threshold (4.2.1)."""

from fractions import Fraction

import numpy as np

from lib.patterns import as_matrix, as_signs


def mean_difference(X, y, *, threshold=True):
    """w0 = (μ_P − μ_N, w_(n+1)) for the extended points (x, 1).

    Rojas' heuristic is the mean of the positive vectors minus that of the negative ones. On extended vectors its last
    component is 1 − 1 = 0: it never sets a threshold (`threshold=False`). The mended one puts the plane in the middle,
    w_(n+1) = −(μ_P − μ_N) · (μ_P + μ_N)/2, and asks which mean is nearer.

    Guarantees (ours): if every point is nearer to the mean of its class than half the distance of the means, the
    mended start separates, and no correction is needed. For then (x − m) · (μ_P − μ_N) > 0 on P, m the middle, by
    Cauchy and Schwarz, and < 0 on N.

    Parameters
    ----------
    X : array_like, shape (p, d)
        Integers and Fractions give Fractions.
    y : array_like, shape (p,)
        Two labels, the larger one positive.

    Returns
    -------
    ndarray, shape (d + 1,)

    Examples
    --------
    >>> mean_difference([[0], [4]], [0, 1])
    array([Fraction(4, 1), Fraction(-8, 1)], dtype=object)
    """
    X = as_matrix(X, "X")
    sign = as_signs(y, len(X))
    if len(set(sign.tolist())) < 2:
        raise ValueError("y has one class; expected points of both")
    high, low = (_mean(X[sign == s]) for s in (1, -1))
    apart = high - low
    middle = -(apart @ (high + low)) / 2 if threshold else 0 * apart[0]
    return np.append(apart, middle)


def _mean(rows):
    if rows.dtype == np.float64:
        return rows.mean(axis=0)
    return np.array(
        [Fraction(sum(map(int, column)) if rows.dtype != object else sum(column)) / len(rows) for column in rows.T]
    )
