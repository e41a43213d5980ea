# an ODE solver needs float64

import torch
from torchdiffeq import odeint

torch.set_default_dtype(torch.float64)
field = torch.nn.Linear(2, 2).to("cuda")
print(odeint(lambda t, y: field(y), torch.ones(2, device="cuda"), torch.linspace(0, 1, 10, device="cuda")))
