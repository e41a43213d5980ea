# autocast dtypes by device

import torch

torch.set_autocast_gpu_dtype(torch.bfloat16)  #! MEM904
print(torch.get_autocast_gpu_dtype())  #! MEM904
torch.set_autocast_cpu_dtype(torch.bfloat16)  #! MEM904
if torch.is_autocast_cpu_enabled():  #! MEM904
    print(torch.get_autocast_cpu_dtype())  #! MEM904
