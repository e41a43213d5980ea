# the noise was made with gradients, and goes on to be trained

import torch

noise = torch.zeros(1, 3, 64, 64, requires_grad=True)
noise.require_grad = False  #! MEM908 error
optimizer = torch.optim.Adam([noise])
