"""Runs whose memory others published from real GPUs, simulated here without one."""
