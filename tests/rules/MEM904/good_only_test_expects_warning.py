# only a test expects the warning

import pytest
import torch


def test_alias():
    with pytest.warns(FutureWarning):
        torch.cuda.memory_cached()
