# The encoder's graph is used by two backward calls; the last of them frees it.
import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(20, 64), nn.ReLU())
value, policy = nn.Linear(64, 1), nn.Linear(64, 4)
opt_value = torch.optim.Adam([*encoder.parameters(), *value.parameters()], 1e-3)
opt_policy = torch.optim.Adam(policy.parameters(), 1e-3)
for step in range(200):
    x = torch.randn(32, 20)
    h = encoder(x)
    v_loss = (value(h).squeeze(1) - x.sum(1)).square().mean()
    p_loss = nn.functional.cross_entropy(policy(h), x[:, :4].argmax(1))
    opt_value.zero_grad()
    opt_policy.zero_grad()
    p_loss.backward(retain_graph=True)
    v_loss.backward()
    opt_policy.step()
    opt_value.step()
