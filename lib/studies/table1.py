"""Collobert & Bengio's Table 1 once more: settings drawn blind, one training, and how settings are chosen.

Four methods: "simple" (the Simple MLP), "standard" (tanh, cross-entropy, an example at a time), "adam" (scikit-learn's
MLPClassifier, today's choice) and "svm" (scikit-learn's SVC with a Gaussian kernel). A setting is a dict of a method's
hyper-parameters. A record is what one training gave, as JSON can keep it. data/table1/PROTOCOL.md is the protocol.
"""

import hashlib
import inspect
import time

import numpy as np

from lib.perceptrons.networks import look, output
from lib.perceptrons.simple_mlp import algorithm2, simple_mlp
from lib.perceptrons.standard_mlp import descend, standard_mlp

UNITS, BATCHES = (125, 250, 500, 1000), (25, 50, 100, 200)
RANGES = {
    "simple": {"rate": (1e-4, 1e-2), "beta": (1.0, 100.0), "units": UNITS},
    "standard": {"rate": (1e-3, 1e-1), "units": UNITS},
    "adam": {"rate": (1e-4, 1e-2), "batch": BATCHES, "units": UNITS},
    "svm": {"C": (1.0, 1000.0), "gamma": (1e-3, 10.0)},
}
"""Pairs of floats are the ends of a range, drawn from evenly on the scale of the logarithm; the rest are choices."""


def drawn(method, count, rng):
    """So many settings of a method, drawn blind from its ranges."""
    return [{name: _draw(*_ends(known), known, rng) for name, known in RANGES[method].items()} for _ in range(count)]


def near(method, setting, count, rng):
    """So many settings around one: numbers within a factor of three; units and batches half, the same or double, but
    no more units than the ranges have.
    """
    found = []
    for _ in range(count):
        pairs = {name: (setting[name] / 3, setting[name] * 3) for name in setting}
        whole = {name: (setting[name] // 2, setting[name], 2 * setting[name]) for name in setting}
        whole |= {"units": tuple(min(count, max(UNITS)) for count in whole.get("units", ()))}
        known = {n: pairs[n] if isinstance(r[0], float) else whole[n] for n, r in RANGES[method].items()}
        found.append({name: _draw(*_ends(values), values, rng) for name, values in known.items()})
    return found


def beyond(method, setting):
    """The names of the numbers of a setting that lie outside the ranges."""
    ends = {name: _ends(known) for name, known in RANGES[method].items()}
    return [name for name, value in setting.items() if not ends[name][0] <= value <= ends[name][1]]


def at_edge(method, setting, tried):
    """The names of the numbers of a setting beyond the ranges, or as low or as high as any in the settings tried."""
    found = set(beyond(method, setting))
    for name, known in RANGES[method].items():
        values = [other[name] for other in tried]
        if isinstance(known[0], float) and setting[name] in (min(values), max(values)):
            found.add(name)
    return sorted(found)


def _ends(known):
    return known[0], known[-1]


def _draw(low, high, known, rng):
    if isinstance(known[0], float):
        return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.3g}")
    return int(rng.choice(known))


def choose(method, run, rng, *, first=10, around=4, again=2):
    """Choose a setting of a network by the validation set alone.

    Parameters
    ----------
    method : str
    run : callable
        run(setting, name, long) gives the record of a training; `long` trains for more passes at most.
    rng : Generator
    first, around, again : int
        The numbers of blind draws, of draws around the best of them, and of settings that are trained longer if the
        best had not ended when its passes did. While the best lies at an edge of what was tried, further rounds are
        drawn around it, two at most.

    Returns
    -------
    list of dict
        The records of the round that decides, the best first.
    """
    tried = [run(setting, f"draw-{k}", False) for k, setting in enumerate(drawn(method, first, rng))]
    for turn in ("near", "further", "furthest"):
        best = min(tried, key=missed)
        if turn == "near" or at_edge(method, best["setting"], [record["setting"] for record in tried]):
            around_it = near(method, best["setting"], around, rng)
            tried += [run(setting, f"{turn}-{k}", False) for k, setting in enumerate(around_it)]
    tried.sort(key=missed)
    if tried[0]["stop"] == "epochs":
        tried = [run(record["setting"], f"long-{k}", True) for k, record in enumerate(tried[:again])]
    return sorted(tried, key=missed)


def choose_svm(run, rng, rows, *, first=10, around=4, kept=3):
    """Choose a setting of the SVM: on a twentieth of the rows, then on a fifth, then two on two fifths.

    run(setting, name, rows) gives a record. Returns the records of the last round, the best first.
    """
    begun = [run(setting, f"draw-{k}", rows // 20) for k, setting in enumerate(drawn("svm", first, rng))]
    ahead = [record["setting"] for record in sorted(begun, key=missed)[:kept]]
    ahead += near("svm", ahead[0], around, rng)
    fits = sorted((run(s, f"fifth-{k}", rows // 5) for k, s in enumerate(ahead)), key=missed)
    if at_edge("svm", fits[0]["setting"], [*ahead, *(record["setting"] for record in begun)]):
        more = near("svm", fits[0]["setting"], around, rng)
        fits = sorted([*fits, *(run(s, f"further-{k}", rows // 5) for k, s in enumerate(more))], key=missed)
    return sorted((run(r["setting"], f"half-{k}", 2 * rows // 5) for k, r in enumerate(fits[:2])), key=missed)


def missed(record):
    """The errors on the validation set, at the pass where training stops."""
    return record["validation"]


def fit(method, setting, train, valid, *, seed=0, passes=200, patience=20):
    """One training: its record, and a function that says which class, 1 or −1, it gives to rows.

    The seed decides the start, and the order of the examples, which stays the same in every pass. The SVM has none.
    """
    if method == "svm":
        return _fit_svm(setting, train, valid)
    order = np.random.default_rng([seed, 1]).permutation(len(train[0]))
    X, y = (np.ascontiguousarray(part[order]) for part in train)
    ticks = [time.process_time()]
    options = {"validation": valid, "patience": patience, "epochs": passes, "rng": seed}
    if method == "adam":
        history, stop, decide = _fit_adam(setting, X, y, ticks, **options)
    else:
        trainer = {"simple": simple_mlp, "standard": standard_mlp}[method]
        run = trainer(X, y, **setting, **options, watch=lambda _: ticks.append(time.process_time()))
        history, stop, decide = run.history, run.stop, run.mlp.decision
    errors = [h if method == "adam" else h.errors for h in history]
    record = {
        **_about(method, setting, len(y), ticks[-1] - ticks[0]),
        "seed": seed,
        "stop": stop,
        "passes": len(errors),
        "best": errors.index(min(errors)) + 1,
        "validation": min(errors),
        "errors": errors,
        "clock": [round(tick - ticks[0], 3) for tick in ticks[1:]],
    }
    if method == "simple":
        record["unit_updates"] = [h.unit_updates for h in history]
    return record, lambda rows: np.where(decide(rows) > 0, 1, -1)


def _fit_adam(setting, X, y, ticks, *, validation, patience, epochs, rng):
    from sklearn.neural_network import MLPClassifier

    net = MLPClassifier(
        (setting["units"],), "tanh", learning_rate_init=setting["rate"], batch_size=setting["batch"], random_state=rng
    )
    errors, kept = [], None
    while len(errors) < epochs and (not errors or len(errors) - 1 - errors.index(min(errors)) < patience):
        net.partial_fit(X, y, classes=[-1, 1])
        errors.append(int((net.predict(validation[0]) != validation[1]).sum()))
        ticks.append(time.process_time())
        if errors[-1] < min(errors[:-1], default=len(X)):
            kept = [q.copy() for q in net.coefs_], [q.copy() for q in net.intercepts_]
    net.coefs_, net.intercepts_ = kept
    return errors, "epochs" if len(errors) == epochs else "patience", lambda rows: net.predict(rows)


def _fit_svm(setting, train, valid):
    from sklearn.svm import SVC

    begun = time.process_time()
    machine = SVC(**setting, cache_size=14000).fit(*train)
    seconds = time.process_time() - begun

    def decide(rows, block=500):
        """As machine.predict does, many rows at a time."""
        kept, weights = machine.support_vectors_, machine.dual_coef_[0]
        squares, found = (kept * kept).sum(axis=1), []
        for part in np.array_split(rows, -(-len(rows) // block)):
            distance = (part * part).sum(axis=1)[:, None] + squares - 2 * part @ kept.T
            found.append(np.exp(-setting["gamma"] * distance) @ weights + machine.intercept_[0])
        return np.where(np.concatenate(found) > 0, 1, -1)

    about = _about("svm", setting, len(train[0]), seconds)
    wrong = int((decide(valid[0]) != valid[1]).sum())
    counts = {"support": int(machine.n_support_.sum()), "iterations": int(machine.n_iter_.sum())}
    return {**about, **counts, "validation": wrong}, decide


def _about(method, setting, rows, seconds):
    return {"method": method, "setting": setting, "rows": rows, "seconds": round(seconds, 3)}


def multiplications(record, features):
    """Those of a training of a network, by passes: in the weighted sums, and in the corrections of the weights.

    Simple MLP: N n an example to look, n a unit corrected. Standard MLP: N (n + 1) to look and as many to correct,
    three a unit for the derivative; its tangents, N an example, are not counted.
    """
    rows, units = record["rows"], record["setting"]["units"]
    if record["method"] == "simple":
        return [rows * units * features + moved * features for moved in record["unit_updates"]]
    return [rows * units * (2 * (features + 1) + 3)] * record["passes"]


def digest():
    """Of the loops and of this module: results with another digest came from another program."""
    content = [text.digest for text in (algorithm2, descend, look, output)] + [inspect.getsource(fit)]
    return hashlib.sha256("".join(content).encode()).hexdigest()[:16]
