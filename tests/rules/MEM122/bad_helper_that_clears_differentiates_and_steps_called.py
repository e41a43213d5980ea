# a helper that clears, differentiates and steps, called after the forward

import torch


def apply_gradients(optim, loss):
    optim.zero_grad()  #! MEM122 advice
    loss.backward()
    optim.step()


def run():
    policy = torch.nn.Linear(6, 3)
    optim = torch.optim.Adam(policy.parameters())
    for episode in range(30):
        obs = torch.randn(16, 6)
        logp = policy(obs).log_softmax(-1)
        apply_gradients(optim, -logp[:, 0].mean())


if __name__ == "__main__":
    run()
