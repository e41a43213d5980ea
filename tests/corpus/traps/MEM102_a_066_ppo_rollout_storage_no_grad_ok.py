import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn


def main(agent, envs, num_updates, num_steps, device):
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    logprobs = torch.zeros((num_steps, envs.num_envs)).to(device)
    values = torch.zeros((num_steps, envs.num_envs)).to(device)
    obs = torch.zeros((num_steps, envs.num_envs) + envs.single_observation_space.shape).to(device)
    next_obs = torch.Tensor(envs.reset()[0]).to(device)
    clipfracs = []
    for update in range(num_updates):
        for step in range(num_steps):
            obs[step] = next_obs
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
                values[step] = value.flatten()
            logprobs[step] = logprob
            next_obs = torch.Tensor(envs.step(action.cpu().numpy())[0]).to(device)
        for epoch in range(4):
            _, newlogprob, entropy, newvalue = agent.get_action_and_value(obs.flatten(0, 1))
            logratio = newlogprob - logprobs.flatten()
            ratio = logratio.exp()
            with torch.no_grad():
                clipfracs += [((ratio - 1.0).abs() > 0.2).float().mean().item()]
            loss = -ratio.mean() - 0.01 * entropy.mean() + 0.5 * (newvalue.view(-1) - values.flatten()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
        print(update, np.mean(clipfracs))
