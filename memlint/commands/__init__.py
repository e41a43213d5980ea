"""The subcommands: one file each, with `add_parser` and `run`."""
