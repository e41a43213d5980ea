# while loop with a helper that steps and clips

import torch


def apply_gradients(loss, params, opt, max_norm=1.0):
    loss.backward()  #! MEM121
    torch.nn.utils.clip_grad_norm_(params, max_norm)
    opt.step()


policy = torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2))
opt = torch.optim.RMSprop(policy.parameters(), lr=1e-3)
frames = 0
while frames < 10_000:
    states = torch.randn(64, 4)
    logits = policy(states)
    loss = -torch.log_softmax(logits, -1)[:, 0].mean()
    apply_gradients(loss, policy.parameters(), opt)
    frames += 64
