"""The commands below `cranfield judge`."""
