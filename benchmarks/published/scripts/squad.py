"""Fine-tune XLM-RoBERTa base on SQuAD as transformers' run_qa.py did in spring 2021.

Its attention is plain, its AdamW goes from parameter to parameter, and gradients are set to zero.
"""

import torch
import torch_1_10  # noqa: F401
from transformers import AdamW, XLMRobertaConfig, XLMRobertaForQuestionAnswering

config = XLMRobertaConfig(vocab_size=250002, max_position_embeddings=514, type_vocab_size=1)
model = XLMRobertaForQuestionAnswering(config).cuda()
model.train()
optimizer = AdamW(model.parameters(), lr=3e-5)
for _ in range(4):
    ids = torch.randint(5, 250000, (16, 384)).cuda()
    mask = torch.ones(16, 384, dtype=torch.long).cuda()
    starts, ends = torch.randint(384, (2, 16)).cuda()
    loss = model(input_ids=ids, attention_mask=mask, start_positions=starts, end_positions=ends).loss
    loss.backward()
    del loss
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
    optimizer.step()
    model.zero_grad(set_to_none=False)
