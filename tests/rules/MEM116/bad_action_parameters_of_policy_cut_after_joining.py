"""What a policy says about actions has a graph, however it is called, and a chain of methods cuts it later."""

import torch
from torch import distributions


def distribution(action_params):
    mean, spread = torch.chunk(action_params, 2, dim=-1)
    return distributions.Normal(torch.tanh(mean), spread.exp())


def collect(env, agent, device):
    log_probs, values, rewards = [], [], []
    state, done = env.reset(), False
    while not done:
        action_params, value = agent(torch.FloatTensor(state).to(device))
        chosen = distribution(action_params)
        action = chosen.sample()
        log_probs.append(chosen.log_prob(action).sum(-1))  #! MEM116 warning
        values.append(value)  #! MEM116 warning
        state, reward, done, _ = env.step(action.cpu().numpy())
        rewards.append(reward)
    log_probs = torch.cat(log_probs).detach()
    values = torch.cat(values).squeeze(-1).detach()
    return log_probs, values, rewards


def update(agent, optimizer, states, actions, old, gain):
    action_params, _ = agent(states)
    loss = ((distribution(action_params).log_prob(actions).sum(-1) - old).exp() * gain).mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()
