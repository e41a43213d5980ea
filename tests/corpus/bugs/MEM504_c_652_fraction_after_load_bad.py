import torch
from transformers import AutoModelForCausalLM


def load(name):
    return AutoModelForCausalLM.from_pretrained(name).to("cuda")


def main():
    model = load("gpt2-xl")
    torch.cuda.memory.set_per_process_memory_fraction(0.7)  #! MEM504
    with torch.no_grad():
        print(model(torch.ones(1, 8, dtype=torch.long, device="cuda")).logits.shape)


main()
