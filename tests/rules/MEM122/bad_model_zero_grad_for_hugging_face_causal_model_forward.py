# model.zero_grad() for a Hugging Face causal model, the forward in a closure

import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("openlm-research/open_llama_3b")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)


def finetune(batches):
    def loss_of(batch):
        return model(**batch, labels=batch["input_ids"]).loss

    for batch in batches:
        loss = loss_of(batch)
        model.zero_grad()  #! MEM122 warning
        loss.backward()
        optimizer.step()
        print(loss.item())


finetune([{"input_ids": torch.randint(0, 100, (1, 8))}])
