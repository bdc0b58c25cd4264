# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Small real training steps in plain JAX, to plan and to compare with one device.

Sizes divide by 6 and by 8 where that is natural. Every state is the first argument and donated.
"""
from .cnn import CNN
from .encoder_decoder import ENCODER_DECODER
from .gpt import GPT_LOOP, GPT_SCAN
from .graph_network import GRAPH_NETWORK
from .lora import LORA
from .lstm import LSTM
from .mlp import MLP
from .moe import MOE, Mixture, mixture_of_experts
from .resnet18 import RESNET18
from .training import Model

MODELS: dict[str, Model] = {model.name: model for model in (
    MLP, GPT_LOOP, GPT_SCAN, CNN, MOE, LSTM, RESNET18, ENCODER_DECODER, GRAPH_NETWORK, LORA)}

__all__ = ["MODELS", "Mixture", "Model", "mixture_of_experts"]
