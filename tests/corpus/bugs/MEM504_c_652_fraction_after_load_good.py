import torch
from transformers import AutoModelForCausalLM


def load(name):
    return AutoModelForCausalLM.from_pretrained(name).to("cuda")


def main():
    torch.cuda.memory.set_per_process_memory_fraction(0.7)
    model = load("gpt2-xl")
    with torch.no_grad():
        print(model(torch.ones(1, 8, dtype=torch.long, device="cuda")).logits.shape)


main()
