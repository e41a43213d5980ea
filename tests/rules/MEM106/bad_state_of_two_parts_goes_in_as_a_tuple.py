# the state of an LSTM out of view has two parts, which go in as a tuple, alone or beside the input

import torch
import torch.nn.functional as F


def train(model, data, optimizer):
    hx, cx = torch.zeros(1, 256), torch.zeros(1, 256)
    for x, y in data:
        logits, (hx, cx) = model(x, (hx, cx))  #! MEM106 warning
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def act(model, env, optimizer):
    obs = torch.from_numpy(env.reset())
    hx, cx = torch.zeros(1, 256), torch.zeros(1, 256)
    while True:
        log_probs, rewards = [], []
        for _ in range(20):
            _, logits, (hx, cx) = model((obs, (hx, cx)))  #! MEM106 warning
            log_prob = F.log_softmax(logits, dim=-1)
            action = log_prob.exp().multinomial(num_samples=1).detach()
            log_probs.append(log_prob.gather(1, action))
            obs, reward, done, _ = env.step(action.numpy())
            obs = torch.from_numpy(obs)
            rewards.append(reward)
        loss = -(torch.cat(log_probs) * torch.tensor(rewards)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
