# claim: HOST, expected: inconclusive (a small model is lost in the noise of a process)
# needs: transformers
import os
import tempfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4)
path = os.path.join(tempfile.mkdtemp(), "model.pt")
torch.save(LlamaForCausalLM(config).state_dict(), path)
model = LlamaForCausalLM(config)
model.load_state_dict(torch.load(path, map_location="cpu"))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    tokens = torch.randint(0, config.vocab_size, (2, 16))
    optimizer.zero_grad()
    model(input_ids=tokens, labels=tokens).loss.backward()
    optimizer.step()
