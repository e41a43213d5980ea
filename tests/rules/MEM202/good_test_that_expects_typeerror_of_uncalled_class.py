# a test that expects the TypeError of the uncalled class

import pytest
import torch


def test_uncalled():
    with pytest.raises(TypeError):
        with torch.no_grad:
            pass
