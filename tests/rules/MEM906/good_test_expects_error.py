# a test expects the error

import pytest
from torch.utils.data import DataLoader


def test_refuses():
    with pytest.raises(ValueError):
        DataLoader([1, 2], persistent_workers=True)
    try:
        DataLoader([1, 2], prefetch_factor=2)
    except ValueError:
        print("refused")
