# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Signatures of autoshard.h, in its order. Nothing else lives here."""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t,
                    c_void_p)

ABI_VERSION = 1

OK = 0
INVALID_ARGUMENT = 1
NOT_FOUND = 2
OUT_OF_MEMORY = 3
CANCELLED = 4
INTERNAL = 5


class Progress(Structure):
    _fields_ = [("size", c_size_t), ("phase", c_char_p), ("seconds", c_double),
                ("cost", c_char_p), ("lower_bound", c_char_p)]


PROGRESS_CALLBACK = CFUNCTYPE(c_int32, POINTER(Progress), c_void_p)

Handle = c_void_p
OutHandle = POINTER(c_void_p)
Text = c_char_p
OutText = POINTER(c_char_p)
Tensors = POINTER(c_int32)

# name: (result, arguments)
SIGNATURES = {
    "autoshard_version": (Text, []),
    "autoshard_abi_version": (c_int32, []),
    "autoshard_build_info": (Text, []),
    "autoshard_last_error": (Text, []),
    "autoshard_device_name": (Text, [c_size_t]),
    "autoshard_option_name": (Text, [c_size_t]),

    "autoshard_graph_builder_create": (c_int32, [Text, OutHandle]),
    "autoshard_graph_builder_destroy": (None, [OutHandle]),
    "autoshard_graph_builder_argument": (c_int32, [Handle, Text, Text, Text, POINTER(c_int32)]),
    "autoshard_graph_builder_operator": (c_int32, [Handle, Text, Text, Tensors, c_size_t]),
    "autoshard_graph_builder_result_type": (c_int32, [Handle, Text]),
    "autoshard_graph_builder_phase": (c_int32, [Handle, Text]),
    "autoshard_graph_builder_integer": (c_int32, [Handle, Text, c_int64]),
    "autoshard_graph_builder_number": (c_int32, [Handle, Text, c_double]),
    "autoshard_graph_builder_text": (c_int32, [Handle, Text, Text]),
    "autoshard_graph_builder_integers": (c_int32, [Handle, Text, POINTER(c_int64), c_size_t]),
    "autoshard_graph_builder_numbers": (c_int32, [Handle, Text, POINTER(c_double), c_size_t]),
    "autoshard_graph_builder_add": (c_int32, [Handle, c_size_t, Tensors]),
    "autoshard_graph_builder_begin_loop": (c_int32, [Handle, c_size_t, Tensors]),
    "autoshard_graph_builder_end_loop": (c_int32, [Handle, Tensors, c_size_t, Tensors]),
    "autoshard_graph_builder_result": (c_int32, [Handle, c_int32]),
    "autoshard_graph_builder_state_pair": (c_int32, [Handle, c_int32, c_int32]),
    "autoshard_graph_builder_infer_training_roles": (c_int32, [Handle]),
    "autoshard_graph_builder_build": (c_int32, [Handle, OutHandle]),

    "autoshard_graph_parse_json": (c_int32, [Text, OutHandle]),
    "autoshard_graph_parse_hlo": (c_int32, [Text, OutHandle]),
    "autoshard_graph_load": (c_int32, [Text, OutHandle]),
    "autoshard_graph_json": (c_int32, [Handle, OutText]),
    "autoshard_graph_fingerprint": (c_int32, [Handle, OutText]),
    "autoshard_graph_destroy": (None, [OutHandle]),

    "autoshard_mesh_parse": (c_int32, [Text, Text, OutHandle]),
    "autoshard_mesh_create": (c_int32, [POINTER(c_char_p), POINTER(c_int64), c_size_t, Text,
                                        OutHandle]),
    "autoshard_mesh_text": (c_int32, [Handle, OutText]),
    "autoshard_mesh_destroy": (None, [OutHandle]),

    "autoshard_options_create": (c_int32, [OutHandle]),
    "autoshard_options_set": (c_int32, [Handle, Text, Text]),
    "autoshard_options_set_progress": (c_int32, [Handle, PROGRESS_CALLBACK, c_void_p]),
    "autoshard_options_destroy": (None, [OutHandle]),

    "autoshard_solve_intra_op": (c_int32, [Handle, Handle, Handle, OutHandle]),
    "autoshard_plan_parse_json": (c_int32, [Text, Handle, OutHandle]),
    "autoshard_plan_status": (c_int32, [Handle, OutText]),
    "autoshard_plan_step_seconds": (c_int32, [Handle, POINTER(c_double)]),
    "autoshard_plan_peak_bytes": (c_int32, [Handle, POINTER(c_int64)]),
    "autoshard_plan_argument_spec": (c_int32, [Handle, c_size_t, OutText]),
    "autoshard_plan_result_spec": (c_int32, [Handle, c_size_t, OutText]),
    "autoshard_plan_json": (c_int32, [Handle, OutText]),
    "autoshard_plan_report": (c_int32, [Handle, OutText]),
    "autoshard_plan_destroy": (None, [OutHandle]),
    "autoshard_verify": (c_int32, [Handle, Handle, POINTER(c_int32), OutText]),

    "autoshard_problem_parse": (c_int32, [Text, OutHandle]),
    "autoshard_problem_load": (c_int32, [Text, OutHandle]),
    "autoshard_problem_destroy": (None, [OutHandle]),
    "autoshard_solve": (c_int32, [Handle, Handle, OutHandle]),
    "autoshard_solution_status": (c_int32, [Handle, OutText]),
    "autoshard_solution_cost": (c_int32, [Handle, OutText]),
    "autoshard_solution_assignment": (c_int32, [Handle, POINTER(POINTER(c_int32)),
                                                POINTER(c_size_t)]),
    "autoshard_solution_json": (c_int32, [Handle, OutText]),
    "autoshard_solution_destroy": (None, [OutHandle]),
    "autoshard_check": (c_int32, [Handle, POINTER(c_int32), c_size_t, POINTER(c_int32), OutText]),
}
