import argparse

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForSeq2SeqLM as Seq2Seq
from transformers import BertPreTrainedModel


class Tagger(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.head = torch.nn.Linear(config.hidden_size, 3)


class Pipeline:
    def __init__(self, args):
        self.lm = Seq2Seq.from_pretrained(args.name, dtype=torch.float16, device_map="auto")
        self.tagger = Tagger.from_pretrained(args.tagger)
        self.lm = get_peft_model(self.lm, LoraConfig(r=8))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--tagger")
    Pipeline(parser.parse_args())
