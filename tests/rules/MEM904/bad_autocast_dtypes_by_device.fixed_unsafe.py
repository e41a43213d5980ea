# autocast dtypes by device

import torch

torch.set_autocast_dtype("cuda", torch.bfloat16)
print(torch.get_autocast_dtype("cuda"))
torch.set_autocast_dtype("cpu", torch.bfloat16)
if torch.is_autocast_enabled("cpu"):
    print(torch.get_autocast_dtype("cpu"))
