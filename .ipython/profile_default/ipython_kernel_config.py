# Kernels started by this project: no notice about transports, no dates in pictures.
c = get_config()  # noqa: F821
c.IPKernelApp.log_level = 40
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Software": None}}
