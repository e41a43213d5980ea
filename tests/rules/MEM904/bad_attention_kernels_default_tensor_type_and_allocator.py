# attention kernels, the default tensor type and allocator settings

import torch
import torch.nn.functional as F

torch.set_default_tensor_type("torch.cuda.FloatTensor")  #! MEM904


def attend(q, k, v):
    with torch.backends.cuda.sdp_kernel(enable_flash=True, enable_math=False):  #! MEM904
        return F.scaled_dot_product_attention(q, k, v)


torch.cuda.memory._set_allocator_settings("expandable_segments:True")  #! MEM904
