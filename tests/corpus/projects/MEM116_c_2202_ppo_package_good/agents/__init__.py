from agents.ppo import PPO
