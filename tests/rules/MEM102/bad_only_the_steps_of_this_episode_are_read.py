# An inner loop fills the list, and backward needs what the last episode added: all before it stays for nobody.

from torch.distributions import Categorical

policy = Policy(env.observation_space, env.action_space)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
log_probs = []
rewards = []
for episode in range(1000):
    state = env.reset()
    done = False
    steps = 0
    while not done:
        chosen = Categorical(policy(torch.from_numpy(state).float()))
        action = chosen.sample()
        log_probs.append(chosen.log_prob(action))  #! MEM102
        state, reward, done, _ = env.step(action.item())
        rewards.append(reward)
        steps += 1
    loss = 0
    for log_prob, reward in zip(log_probs[-steps:], rewards[-steps:]):
        loss = loss - log_prob * reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
