"""Where a run is cut: steps, time, loops that are left early."""
