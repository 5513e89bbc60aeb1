"""What is run, in which order. Everything is drawn from seeds: a second run makes the same."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from lib.data import connect4, covertype, prepared
from lib.studies.table1 import choose, choose_svm, fit
from tools.table1.store import pack

SEED = 2004
SETS = {
    "forest": {"train": 100_000, "validation": 10_000, "test": 50_000, "fresh": 200_000},
    "connect4": {"train": 50_000, "validation": 7_557, "test": 10_000},
}
STEPS = (
    *(("forest", step) for step in ("simple", "standard", "epochs")),
    *(("connect4", step) for step in ("simple", "standard", "epochs", "svm")),
    *(("forest", step) for step in ("svm", "growth", "adam")),
    *(("connect4", step) for step in ("growth", "adam")),
    *((name, "wide") for name in SETS),
)
"""The most important first."""


@dataclass(frozen=True)
class Budget:
    """What one method may spend: passes at most while settings are compared, and at the end; settings; seeds."""

    passes: int = 200
    long: int = 600
    patience: int = 20
    first: int = 10
    around: int = 4
    seeds: tuple = (1, 2, 3, 4, 5)

    @property
    def counts(self):
        return {"first": self.first, "around": self.around}


FULL = Budget()


def parts(name, sizes=None, seed=SEED):
    """The parts of a data set, by their names: pairs (X, y), disjoint, standardised by the training part."""
    X, y = two_classes(name)
    sizes = sizes or SETS[name]
    return dict(zip(sizes, prepared(X, y, list(sizes.values()), rng=seed), strict=True))


def two_classes(name):
    """Forest: class 2 is 1, the others −1. Connect-4: a win of the first player is 1, the rest −1."""
    X, kind = covertype() if name == "forest" else connect4()
    return X, np.where(kind == (2 if name == "forest" else "win"), 1, -1)


class Protocol:
    """The runs on one data set; `store` keeps records by name, and a run that it has is not made again."""

    def __init__(self, name, store, sizes=None, budget=FULL, seed=SEED):
        self.name, self.store, self.budget, self.seed = name, store, budget, seed
        self.sizes, self._parts = sizes or SETS[name], None

    @property
    def parts(self):
        self._parts = self._parts or parts(self.name, self.sizes, self.seed)
        return self._parts

    def do(self, step):
        """All runs of a step."""
        own = {"epochs": self.epochs, "svm": self.svm, "growth": self.growth, "wide": self.wide}
        own.get(step, partial(self.network, step))()

    def records(self):
        """What the store has of this data set, by what follows its name."""
        names = [name for name in self.store.names() if name.startswith(f"{self.name}-")]
        return {name.removeprefix(f"{self.name}-"): self.store[name] for name in names}

    def rng(self, method):
        return np.random.default_rng([self.seed, *f"{self.name} {method}".encode()])

    def train(self, method, setting, name, *, seed=0, rows=None, passes=None, tests=False):
        """One run, or what the store has of it."""

        def make():
            train, valid = self.parts["train"], self.parts["validation"]
            options = {"seed": seed, "passes": passes or self.budget.passes, "patience": self.budget.patience}
            record, decide = fit(method, setting, [a[:rows] for a in train], valid, **options)
            for test in list(self.parts)[2:] if tests else ():
                wrong = decide(self.parts[test][0]) != self.parts[test][1]
                record |= {test: int(wrong.sum()), f"{test}_wrong": pack(wrong)}
            return record

        return self.store.keep(f"{self.name}-{method}-{name}", make)

    def chosen(self, method):
        """The setting of a network."""

        def run(setting, name, long):
            return self.train(method, setting, name, passes=self.budget.long if long else None)

        return choose(method, run, self.rng(method), **self.budget.counts)[0]["setting"]

    def network(self, method):
        """Choose the setting; train with it from five seeds."""
        setting = self.chosen(method)
        for seed in self.budget.seeds:
            self.train(method, setting, f"seed-{seed}", seed=seed, passes=self.budget.long, tests=True)

    def wide(self):
        """Twice the units of the setting chosen, for what more of them would bring: on the validation set alone."""
        for method in ("simple", "standard"):
            setting = self.chosen(method)
            self.train(method, setting | {"units": 2 * setting["units"]}, "wide", passes=self.budget.long)

    def chosen_svm(self):
        def run(setting, name, rows):
            return self.train("svm", setting, name, rows=rows)

        rows = len(self.parts["train"][0])
        return choose_svm(run, self.rng("svm"), rows, **self.budget.counts)[0]["setting"]

    def svm(self):
        """Choose the setting; train with it on all rows."""
        self.train("svm", self.chosen_svm(), "all", tests=True)

    def growth(self):
        """The setting chosen on fewer rows, for the growth of the time."""
        setting, all_rows = self.chosen_svm(), len(self.parts["train"][0])
        for rows in (all_rows // 20, all_rows // 10, all_rows // 5, all_rows // 2):
            self.train("svm", setting, f"growth-{rows}", rows=rows)

    def epochs(self, turns=3, passes=5):
        """Passes of the networks with 100 and 500 units, in turns: CPU seconds of one pass each."""
        settings = {name: self.chosen(name) for name in ("simple", "standard")}
        settings |= {f"adam, batch {batch}": {"rate": 1e-3, "batch": batch} for batch in (200, 50)}

        def make():
            seconds = {}
            for _ in range(turns):
                for units in (100, 500):
                    for name, setting in settings.items():
                        options = {"passes": passes, "patience": passes}
                        train, valid = self.parts["train"], [a[:10] for a in self.parts["validation"]]
                        record, _ = fit(name.split(",")[0], {**setting, "units": units}, train, valid, **options)
                        seconds.setdefault(f"{name}, {units} units", []).append(record["seconds"] / passes)
            return {"method": "epochs", "seconds_a_pass": {k: [round(s, 4) for s in v] for k, v in seconds.items()}}

        self.store.keep(f"{self.name}-epochs", make)
