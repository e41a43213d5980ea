# modules may be imported as modules

import torch
import torch.cuda.amp as amp
import torch.cuda.memory as memory
import torch.nn.functional as F
import torch.utils.checkpoint as checkpoint
import torch.utils.data as data

print(amp, memory.mem_get_info, F.relu, checkpoint.checkpoint, data.DataLoader)
