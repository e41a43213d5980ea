# names of other libraries' amp modules

import torch
import torch_npu
from apex import amp
from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="fp16")
with accelerator.autocast():
    print(torch.randn(1))
with torch_npu.npu.amp.autocast():
    print(amp)
