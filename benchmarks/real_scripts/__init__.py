"""Replays of whole training scripts, beside independent measurements of the same scripts."""
