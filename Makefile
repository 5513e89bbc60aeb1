# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
PY := .venv/bin/python
PIP := -m pip --disable-pip-version-check install --quiet
UV := $(shell command -v uv)
COMPILE := .venv-lock/bin/uv pip compile pyproject.toml --universal --generate-hashes --python-version 3.11 --no-header \
	--no-annotate --quiet --extra run --extra test
export IPYTHONDIR := $(CURDIR)/.ipython
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help run test prove lab faults cluster bench site write lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1: /p' Makefile

run: .venv/ready  ## run every notebook: copies to runs/, pictures to figures/, the scoreboard to README.md
	$(PY) -m lib run
	$(PY) -m lib readme

test: .venv/ready  ## lint, tests, notebook hygiene, and every printed number of every notebook compared
	$(PY) -m ruff check --quiet .
	$(PY) -m ruff format --check --quiet .
	MARGIN_FIGURES=.cache/figures $(PY) -m pytest -n 2 --dist loadfile
	$(PY) -m lib figures --against .cache/figures

prove: .venv/ready  ## check every proof in proofs/ from nothing by Coq, and print what each theorem rests on
	$(PY) -m tools.prove

lab: .venv-lab/ready  ## open the notebooks in JupyterLab (an environment of its own)
	.venv-lab/bin/python -m jupyterlab notebooks

faults: .venv/ready  ## break the runner in every way and print what happened
	$(PY) -m tools.faults

cluster: .venv-cluster/ready  ## test sweeps on a Dask cluster (an environment of its own)
	.venv-cluster/bin/python -m pytest -q tests/test_cluster.py

bench: .venv-bench/ready  ## measure against the peers, as ratios in one run (an environment of its own)
	.venv-bench/bin/python -m tools.benchmarks

site: .venv-site/ready  ## build the web book in site/ from the committed notebooks, and test it in a browser
	rm -rf site .cache/html
	.venv-site/bin/python -m tools.site.pages .cache/book
	.venv-site/bin/python -m sphinx -q -W -d .cache/doctrees -b html .cache/book .cache/html
	mv .cache/html site
	.venv-site/bin/python -m pytest -q -o addopts= tools/site

write: .venv/ready  ## rerun every notebook and store its outputs, normalised, in notebooks/
	$(PY) -m lib run --write
	$(PY) -m lib readme

lock:  ## compile the lock files anew
	test -d .venv-lock || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python $(PIP) uv; }
	$(COMPILE) -o tools/locks/main.lock
	for extra in lab site cluster bench; do \
		$(COMPILE) --extra $$extra -c tools/locks/main.lock -o tools/locks/$$extra.lock || exit 1; \
	done

clean:  ## remove the environments and everything that a run wrote
	rm -rf .venv .venv-lab .venv-site .venv-cluster .venv-bench .venv-lock .cache runs site

# uv, where it is there, installs the same hashed lock in a tenth of pip's time.
.venv/ready: tools/locks/main.lock
.venv-lab/ready: tools/locks/lab.lock
.venv-site/ready: tools/locks/site.lock
.venv-cluster/ready: tools/locks/cluster.lock
.venv-bench/ready: tools/locks/bench.lock
.venv/ready .venv-lab/ready .venv-site/ready .venv-cluster/ready .venv-bench/ready: pyproject.toml
	@echo "making $(@D) from $(filter %.lock,$^)"
ifeq ($(UV),)
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python $(PIP) --require-hashes --only-binary=:all: -r $(filter %.lock,$^)
	$(@D)/bin/python $(PIP) --no-build-isolation --no-deps -e .
else
	$(UV) venv --quiet --clear --seed --python $(PYTHON) $(@D)
	$(UV) pip install --quiet --compile-bytecode --python $(@D)/bin/python --require-hashes --only-binary=:all: -r $(filter %.lock,$^)
	$(UV) pip install --quiet --python $(@D)/bin/python --no-build-isolation --no-deps -e .
endif
	touch $@
