from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
from callbacks import Tidy
from datasets import load_from_disk

args = TrainingArguments("o", evaluation_strategy="steps")  #! MEM907
t = Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=args, train_dataset=load_from_disk("d"), callbacks=[Tidy()])
t.train()
