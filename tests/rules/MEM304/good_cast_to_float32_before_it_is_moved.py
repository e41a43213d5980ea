# cast to float32 before it is moved

import numpy as np
import torch

a = np.random.randn(100, 4)
x = torch.from_numpy(a).float().to("cuda")
y = torch.tensor(np.random.rand(100, 1), dtype=torch.float32, device="cuda")
z = torch.as_tensor(np.linspace(0, 1, 50).astype(np.float32)).cuda()
print(x.mean() + y.mean() + z.mean())
