"""What a run says: a bar on a terminal, a line for each notebook elsewhere, a table at the end."""

import sys

BAR = "{n_fmt} of {total_fmt} |{bar}| {elapsed}{postfix}"


class Watch:
    """Is told how the jobs of a run go, and says nothing."""

    def expect(self, count):
        """So many jobs are to come."""

    def started(self, job):
        """A job has begun."""

    def tick(self):
        """About a second has passed."""

    def done(self, record):
        """A job has ended."""


class Progress(Watch):
    """Shows on standard error how the jobs go."""

    def __enter__(self):
        from tqdm import tqdm

        self.running, self.terminal = [], sys.stderr.isatty()
        self.bar = tqdm(total=0, leave=False, dynamic_ncols=True, bar_format=BAR, disable=not self.terminal)
        return self

    def __exit__(self, *_):
        self.bar.close()

    def expect(self, count):
        self.bar.total += count
        self.bar.refresh()

    def started(self, job):
        self.running.append(label(job.notebook.stem, job.params))
        self.bar.set_postfix_str(", ".join(self.running))

    def tick(self):
        self.bar.refresh()

    def done(self, record):
        name = label(record.notebook, record.params)
        if name in self.running:
            self.running.remove(name)
            self.bar.set_postfix_str(", ".join(self.running))
        if not self.terminal:
            print(f"{name}: {outcome(record)}, {record.seconds:.1f} s", file=sys.stderr, flush=True)
        self.bar.update()


def label(name, params):
    """A notebook with its parameters."""
    return " ".join([name, *(f"{key}={value}" for key, value in params.items())])


def outcome(record):
    """A record's end in a word or two."""
    if record.ok and record.otherwise:
        return f"ok; otherwise than by default: {', '.join(record.otherwise)}"
    if record.unchanged:
        return "unchanged"
    return record.status if record.cell is None else f"{record.status} in cell {record.cell}"


def table(rows):
    """Rows, one dict each, as aligned text.

    Examples
    --------
    >>> print(table([{"c": 1, "updates": 10}, {"c": 100}]))
    c    updates
    1    10
    100
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, *([_text(row.get(name, "")) for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _text(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def report(records):
    """The rows of a run's table."""
    return [
        {
            "notebook": label(record.notebook, record.params),
            "result": outcome(record),
            "seconds": f"{record.seconds:.1f}",
        }
        for record in records
    ]


def failures(records, folder):
    """A paragraph for each record that is not good: the cell, its first line, the error, the copy."""
    return "\n".join(_failure(record, folder) for record in records if not record.ok)


def _failure(record, folder):
    lines = [f"{label(record.notebook, record.params)}: {outcome(record)}"]
    if record.line:
        lines[0] += f": {record.line}"
    lines.append(f"    {record.error or 'no reason known'}")
    if record.output:
        lines.append(f"    see {folder / record.output}")
    return "\n".join(lines)
