# a test that expects the error

import pytest
import torch


def test_share_is_checked():
    with pytest.raises(TypeError):
        torch.cuda.set_per_process_memory_fraction(1)
    try:
        torch.cuda.set_per_process_memory_fraction(2.0)
    except ValueError:
        print("refused")
