import torch
from torch import nn

policy = nn.Linear(32, 8).cuda()
reward_model = nn.Linear(8, 1).cuda().eval()
opt = torch.optim.Adam(policy.parameters(), lr=1e-4)

for obs in torch.randn(100, 16, 32, device="cuda"):
    logits = policy(obs)
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
        reward = reward_model(logits.softmax(-1)).float().squeeze(-1)
    log_prob = logits.log_softmax(-1).max(-1).values
    loss = -(log_prob * reward).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
