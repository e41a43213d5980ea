"""Formats that other programs read: code scanning, merge requests, test reports."""
