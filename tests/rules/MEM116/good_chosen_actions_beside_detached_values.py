"""An actor that gives actions and what else is kept without a graph: the joined list is cut in a chain, and
what was stored is cut as well."""

import torch


def collect(env, agent, device):
    actions, values = [], []
    state, done = env.reset(), False
    while not done:
        with torch.no_grad():
            action_values, value = agent(torch.FloatTensor(state).to(device))
        actions.append(action_values.argmax().item())
        values.append(value.cpu())
        state, reward, done, _ = env.step(actions[-1])
    return actions, torch.cat(values).squeeze(-1).detach()


def update(agent, optimizer, states, gain):
    action_values, value = agent(states)
    loss = ((action_values.max(1).values - gain) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()
