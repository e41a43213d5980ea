# the policy of a Gaussian process model: its moments need float64
import torch
from control import GPWorldModel, RBFController


def learn(env, rollout, epochs):
    policy = RBFController(env.state_dim, env.action_dim, n_basis=20).to(env.device).double()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(epochs):
        world = GPWorldModel(env.state_dim, env.action_dim).to(env.device)
        world.fit(rollout)
        loss = world.expected_cost(policy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return policy
